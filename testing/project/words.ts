import { countLines, listFiles, listPrograms, readText } from './programs.ts';

/** Words and sentence shapes that no text of the project has. */
const words = new RegExp(
  [
    ...['tells?', 'told', 'stands?', 'stood', 'beside', 'beneath', 'alone', 'wants?', 'judge[ds]?', 'gone'],
    ...['came', 'comes? back', 'anew', 'again another', 'hands? (?:it |them )?on', 'in the place of'],
    ...['save for', 'but for', 'do(?:es)? without', 'of (?:its|their|your|our) own', 'by itself', 'a text'],
    ...['the head', 'left open', 'could not be told', 'that of', 'those of', 'those that', 'behind `--`'],
    'what is (?:on|there|known|kept|meant|given)',
  ]
    .map((word) => `\\b${word}(?!\\w)`)
    .join('|'),
  'gi',
);

/** Docstrings that do not begin with a verb or a noun. */
const docstrings = /\/\*\*\s*(?:\*\s*)?(?:What|Whether|Of|By|That|Those|Where|One)\b/g;

/** Maximum number of words in a sentence of a document. */
const LONGEST_SENTENCE = 25;

const isVerbose = process.argv.includes('--verbose');
const documents = listFiles(/\.md$/).filter((file) => !/^(?:decisions|bench|docs\/specification)/.test(file));
const contracts = listFiles(/\.ya?ml$/).filter((file) => !/^(?:\.|examples)/.test(file));
const programs = listPrograms();

const inDocuments = documents.flatMap((file) => find(file, readText(file), words));
const rate = (1000 * inDocuments.length) / countLines(documents);
report(`${rate.toFixed(1)} words of the list in 1,000 lines of documents`, 2, rate, inDocuments);

const inCode = [...contracts, ...programs].flatMap((file) => find(file, readText(file), words));
report(`${inCode.length} words of the list in programs and contracts`, 0, inCode.length, inCode);

const beginnings = programs.flatMap((file) => find(file, readText(file), docstrings));
const title = `${beginnings.length} docstrings that begin with What, Whether, Of, By, That, Where, One`;
report(title, 0, beginnings.length, beginnings);

const long = documents.flatMap(findLongSentences);
report(`${long.length} sentences of documents above ${LONGEST_SENTENCE} words`, 0, long.length, long);

function report(title: string, limit: number, count: number, hits: readonly string[]): void {
  if (count > limit) process.exitCode = 1;
  process.stdout.write(`${title}, at most ${limit}\n`);
  if (isVerbose || count > limit) process.stdout.write(hits.join(''));
}

function find(file: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ index, 0: hit }) => {
    const line = text.slice(0, index).split('\n').length;
    const context = text.slice(Math.max(0, index - 40), index + hit.length + 40);
    return `  ${file}:${line}: ${context.replaceAll(/\s+/g, ' ').trim()}\n`;
  });
}

function findLongSentences(file: string): string[] {
  const text = readText(file).replaceAll(/^(?:```.*?^```|[|#<].*?$)/gms, '\n');
  const paragraphs = text.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/[.!?:](?=\s|$)/));
  const count = (sentence: string) => sentence.match(/\S*\w\S*/g)?.length ?? 0;
  return sentences
    .filter((sentence) => count(sentence) > LONGEST_SENTENCE)
    .map((sentence) => `  ${file}: ${count(sentence)} words: ${sentence.replaceAll(/\s+/g, ' ').trim()}\n`);
}
