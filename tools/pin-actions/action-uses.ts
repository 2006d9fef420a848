/** A line of a workflow, or of an example in a page, that uses an action. */
export interface ActionUse {
  /** Counted from 1. */
  readonly line: number;
  /** The repository on GitHub, such as `actions/cache`. */
  readonly repository: string;
  /** The action as it is written, such as `actions/cache/restore`. */
  readonly action: string;
  /** A SHA, a tag or a branch. */
  readonly reference: string;
  /** The version in the comment of a pinned action. */
  readonly version: string | undefined;
}

/** The name in the documents for a repository that does not exist yet. */
export const PLACEHOLDER = 'your-organisation/animal-store';

const usesLine =
  /^(?<start>\s*(?:- )?uses:\s*)(?<quote>['"]?)(?<action>[\w.-]+\/[\w./-]+)@(?<reference>[^\s'"#]+)\k<quote>(?:\s+#\s*(?<version>\S+))?\s*$/;

const commitSha = /^[0-9a-f]{40}$/;

/** Returns what the lines of a text use of other repositories. */
export function findActionUses(text: string): ActionUse[] {
  return text.split('\n').flatMap((content, index) => {
    const { action = '', reference = '', version } = usesLine.exec(content)?.groups ?? {};
    const repository = action.split('/').slice(0, 2).join('/');
    if (action === '' || repository === PLACEHOLDER) return [];
    return [{ line: index + 1, repository, action, reference, version }];
  });
}

/** Whether an action is pinned: its reference is a SHA, and a comment says which version it is. */
export function isPinned({ reference, version }: ActionUse): boolean {
  return commitSha.test(reference) && version !== undefined;
}

/** Returns the text with each action pinned whose SHA is known. `shaOf` returns undefined for the others. */
export function pinActions(text: string, shaOf: (use: ActionUse) => string | undefined): string {
  const lines = text.split('\n');
  for (const use of findActionUses(text)) {
    const sha = isPinned(use) ? undefined : shaOf(use);
    if (sha === undefined) continue;
    const { start } = usesLine.exec(lines[use.line - 1] ?? '')?.groups ?? {};
    lines[use.line - 1] = `${start}${use.action}@${sha} # ${use.reference}`;
  }
  return lines.join('\n');
}
