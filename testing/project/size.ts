import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { countLines, listCode, listFiles, listPrograms, readText } from './programs.ts';

/** Functions with more lines than this are listed. */
const LONGEST_FUNCTION = 60;

const code = listCode();
const programs = listPrograms();
const long = programs.flatMap(findLongFunctions);

expectAtMost(16_000, 'lines of programs', countLines(programs));
expectAtMost(33_700, 'lines of code in all', countLines(code));
expectAtMost(900, 'lines of style sheets', countLines(listFiles(/\.css$/)));
const folders = Map.groupBy(code, dirname);
folders.delete('.');
expectAtMost(16, 'files in one folder', Math.max(...[...folders.values()].map((files) => files.length)));
expectAtMost(0, `functions past ${LONGEST_FUNCTION} lines`, long.length);
process.stdout.write(`${long.join('')}${countTests().toLocaleString('en')} tests\n`);

function expectAtMost(limit: number, what: string, count: number): void {
  const isOver = count > limit;
  if (isOver) process.exitCode = 1;
  const figures = [count, limit].map((figure) => figure.toLocaleString('en'));
  process.stdout.write(`${figures[0]} ${what}, at most ${figures[1]}${isOver ? ': too many' : ''}\n`);
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function findLongFunctions(file: string): string[] {
  const text = readText(file);
  const found: string[] = [];
  const lineOf = (place: number) => text.slice(0, place).split('\n').length;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, start, end } = value as SyntaxNode;
    if (/^(?:Arrow)?Function(?:Declaration|Expression)?/.test(type ?? '')) {
      const length = lineOf(end) - lineOf(start) + 1;
      if (length > LONGEST_FUNCTION) found.push(`  ${length} lines: ${file}:${lineOf(start)}\n`);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return found;
}

function countTests(): number {
  const args = ['vitest', 'list', '--json', '--staticParse=false', '--project', 'unit', '--project', 'slow'];
  const output = execFileSync('npx', args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output.slice(output.indexOf('['))).length;
}
