import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { countLines, listCode, listFiles, listPrograms, readText } from './programs.ts';

/** Functions with more lines than this are listed. */
const LONGEST_FUNCTION = 60;

const code = listCode();
const programs = listPrograms();
const lines = (files: readonly string[]) => countLines(files).toLocaleString('en');

process.stdout.write(`Programs: ${lines(programs)} lines in ${programs.length} files (limit 16,000)\n`);
process.stdout.write(`All code: ${lines(code)} lines in ${code.length} files\n`);
process.stdout.write(`Style sheets: ${lines(listFiles(/\.css$/))} lines (limit 900)\n`);
process.stdout.write(`${printFlat()} (limit 16)\n`);
const long = programs.flatMap(findLongFunctions);
process.stdout.write(`Functions past ${LONGEST_FUNCTION} lines: ${long.length}\n${long.join('')}`);
process.stdout.write(`Tests: ${countTests().toLocaleString('en')}\n`);

function printFlat(): string {
  const folders = Map.groupBy(code, dirname);
  folders.delete('.');
  const [folder, files] = [...folders].reduce((one, other) =>
    other[1].length > one[1].length ? other : one,
  );
  return `Most files in one folder: ${files.length} in ${folder}`;
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
