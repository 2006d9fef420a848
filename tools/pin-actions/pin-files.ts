import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findActionUses, isPinned, pinActions } from './action-uses.ts';
import { type GitHubApi, readTag } from './read-tag.ts';
import { findUnpinnedUses, findUnpinnedUsesInPage } from './yaml-uses.ts';

/** Returns each use of an action that is not pinned, as `file:line: action@reference`. */
export function listUnpinned(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const unpinned = file.endsWith('.md') ? findUnpinnedUsesInPage(text) : findUnpinnedUses(text);
    // The value alone does not tell whether its version is in a comment.
    const withoutVersion = findActionUses(text).filter((use) => !isPinned(use));
    const names = new Map(withoutVersion.map((use) => [use.line, `${use.action}@${use.reference}`]));
    for (const { line, name } of unpinned) names.set(line, name);
    const lines = [...names].toSorted(([one], [other]) => one - other);
    return lines.map(([line, name]) => `${file}:${line}: ${name}`);
  });
}

/**
 * Pins each action in the files by the SHA of its tag, which it asks GitHub for once. The tag becomes a comment. A pinned action stays
 * as it is.
 *
 * @returns the files that have changed
 * @throws before any file has changed, if GitHub does not know a tag
 */
export async function pinFiles(api: GitHubApi, root: string, files: readonly string[]): Promise<string[]> {
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const open = [...texts.values()].flatMap((text) => findActionUses(text).filter((use) => !isPinned(use)));
  const shas = new Map<string, string>();
  for (const { repository, reference } of open) {
    const name = `${repository}@${reference}`;
    if (!shas.has(name)) shas.set(name, await readTag(api, repository, reference));
  }
  const changed: string[] = [];
  for (const [file, text] of texts) {
    const pinned = pinActions(text, ({ repository, reference }) => shas.get(`${repository}@${reference}`));
    if (pinned === text) continue;
    writeFileSync(join(root, file), pinned);
    changed.push(file);
  }
  return changed;
}
