import { parseAst } from 'rolldown/parseAst';
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

const inTexts = [
  ...contracts.flatMap((file) => find(file, readText(file), words)),
  ...programs.flatMap((file) => find(file, blankOutCode(file), words)),
];
report(`${inTexts.length} words of the list in texts of programs and contracts`, 0, inTexts.length, inTexts);

const inComments = programs.flatMap((file) => find(file, readText(file), words));
const inCode = (1000 * inComments.length) / countLines(programs);
report(`${inCode.toFixed(1)} words of the list in 1,000 lines of programs`, 2, inCode, inComments);

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

/** Returns the text of a program with blanks for everything but its strings. */
function blankOutCode(file: string): string {
  const text = readText(file);
  const kept: [start: number, end: number][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as { type?: string; start: number; end: number; value?: unknown };
    if (node.type === 'ImportDeclaration') return;
    if (node.type === 'TemplateElement' || (node.type === 'Literal' && typeof node.value === 'string'))
      kept.push([node.start, node.end]);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  let result = '';
  for (const [start, end] of kept.sort(([one], [other]) => one - other))
    if (start >= result.length) result += blank(text.slice(result.length, start)) + text.slice(start, end);
  return result;
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
