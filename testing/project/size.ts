import { dirname } from 'node:path';
import { countLines, listCode, listFiles, listPrograms } from './programs.ts';

const code = listCode();

expectAtMost(18_500, 'lines of programs', countLines(listPrograms()));
expectAtMost(31_000, 'lines of code in all', countLines(code));
expectAtMost(900, 'lines of style sheets', countLines(listFiles(/\.css$/)));
const folders = Map.groupBy(code, dirname);
folders.delete('.');
expectAtMost(16, 'files in one folder', Math.max(...[...folders.values()].map((files) => files.length)));

function expectAtMost(limit: number, what: string, count: number): void {
  const isOver = count > limit;
  if (isOver) process.exitCode = 1;
  const figures = [count, limit].map((figure) => figure.toLocaleString('en'));
  process.stdout.write(`${figures[0]} ${what}, at most ${figures[1]}${isOver ? ': too many' : ''}\n`);
}
