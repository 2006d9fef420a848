import { countLines, listFiles, listPrograms, readText } from './programs.ts';

/** Words and sentence shapes to avoid. CONTRIBUTING.md has the rules. */
const words =
  /\b(?:tells?|told)\b|\bbeside\b|\bbeneath\b|\banew\b|\bhands? (?:it |them )?on\b|\bin the place of\b|\bdoes without\b|\b(?:that|those) of\b|\bthose that\b|\bwhat is (?:on|there|known|kept|told|meant|given)\b|\bstands? (?:in|before|for|at|beside|there)\b|\bby itself\b|\bwants? (?:a|an|the|it)\b|\b(?:comes|came) (?:of|back|in)\b|\bjudged?s?\b|\bgone\b/gi;

/** Docstrings that do not begin with a verb or a noun. */
const docstrings = /\/\*\*\s*(?:\*\s*)?(?:What|Whether|Of|By|That|Those|Where|One)\b/g;

const documents = listFiles(/\.(?:md|ya?ml|html)$/).filter(
  (file) => !/^(?:decisions|generated|node_modules)/.test(file),
);
const isVerbose = process.argv.includes('--verbose');

for (const [name, files, limit] of [
  ['programs', listPrograms(), 2],
  ['documents', documents, 10],
] as const) {
  const hits = files.flatMap((file) => find(file, words));
  const rate = (1000 * hits.length) / countLines(files);
  const title = `${rate.toFixed(1)} words of the list in 1,000 lines of ${name}`;
  report(title, limit, rate, hits);
}
const beginnings = listPrograms().flatMap((file) => find(file, docstrings));
const title = `${beginnings.length} docstrings that begin with What, Whether, Of, By, That, Where, One`;
report(title, 0, beginnings.length, beginnings);

function report(title: string, limit: number, count: number, hits: readonly string[]): void {
  if (count > limit) process.exitCode = 1;
  process.stdout.write(`${title}, at most ${limit}\n`);
  if (isVerbose || count > limit) process.stdout.write(hits.join(''));
}

function find(file: string, pattern: RegExp): string[] {
  const text = readText(file);
  return [...text.matchAll(pattern)].map(
    (match) =>
      `  ${file}:${text.slice(0, match.index).split('\n').length}: ${match[0].replaceAll(/\s+/g, ' ')}\n`,
  );
}
