import { isAlias, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml';
import { PLACEHOLDER } from './action-uses.ts';

/** A value of `uses`, or a place that cannot be read. */
export interface UnpinnedUse {
  /** Counted from 1. */
  readonly line: number;
  /** The value as it is read, or what is wrong. */
  readonly name: string;
}

const fencedYaml = /^(?<indent> *)```ya?ml\b.*\n(?<lines>[\s\S]*?)^ *```/gm;

const pinnedUse = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

const pinnedImage = /^docker:\/\/\S+@sha256:[0-9a-f]{64}$/;

const isAllowed = (value: string) =>
  pinnedUse.test(value) ||
  pinnedImage.test(value) ||
  value.startsWith('./') ||
  value.startsWith(`${PLACEHOLDER}@`);

/** Returns each `uses` of a YAML file that names no SHA, no digest of an image and no action of the same repository, in every spelling of YAML. */
export function findUnpinnedUses(text: string): UnpinnedUse[] {
  const lineCounter = new LineCounter();
  const lineOf = (offset = 0) => lineCounter.linePos(offset).line;
  const found: UnpinnedUse[] = [];
  for (const document of parseAllDocuments(text, { lineCounter, logLevel: 'error' })) {
    for (const { pos, code } of document.errors)
      found.push({ line: lineOf(pos[0]), name: `this is no YAML (${code})` });
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || key.value !== 'uses') return;
        const node = isAlias(value) ? value.resolve(document) : value;
        if (!isScalar(node) || isAllowed(`${node.value}`)) return;
        found.push({ line: lineOf(key.range?.[0]), name: `${node.value}` });
      },
    });
  }
  return found;
}

/** Returns the same of each block of YAML in a page. A block without `uses` may be incomplete. */
export function findUnpinnedUsesInPage(page: string): UnpinnedUse[] {
  return [...page.matchAll(fencedYaml)].flatMap(({ index, groups }) => {
    const { indent = '', lines = '' } = groups ?? {};
    if (!lines.includes('uses')) return [];
    const firstLine = page.slice(0, index).split('\n').length;
    const text = lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return findUnpinnedUses(text).map(({ line, name }) => ({ line: firstLine + line, name }));
  });
}
