import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Prints the lines of programs and of tests in each room, and the words of the documents: `npx node tools/size.ts`.

const root = join(import.meta.dirname, '..');

/** What proves the programs: tests, what they share, and the services that the suite judges in them. */
const TEST = /\.(?:test|spec)\.|\/testing\/|deployments|^examples\//;

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Counts the lines of files. */
function countLines(chosen: readonly string[]): number {
  return chosen.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
}

const code = files.filter((file) => /\.(?:[mc]?js|tsx?)$/.test(file));
const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '(root)');
const rooms = Map.groupBy(code, roomOf);
const rows = [...rooms, ['all', code] as const].map(([room, all]) => ({
  room,
  programs: countLines(all.filter((file) => !TEST.test(file))),
  tests: countLines(all.filter((file) => TEST.test(file))),
}));
for (const { room, programs, tests } of [{ room: 'lines', programs: 'programs', tests: 'tests' }, ...rows])
  process.stdout.write(`${room.padEnd(16)}${`${programs}`.padStart(10)}${`${tests}`.padStart(10)}\n`);

const documents = files.filter((file) => /^(?!\.github|examples|fixtures).*\.md$/.test(file));
const words = documents.reduce((sum, file) => sum + read(file).split(/\s+/).filter(Boolean).length, 0);
process.stdout.write(`${`words of ${documents.length} documents`.padEnd(26)}${`${words}`.padStart(10)}\n`);
