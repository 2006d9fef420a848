import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instrumentMock, type Mutant } from './instrument-mock.ts';
import { tryMutant } from './try-mutant.ts';

/**
 * Mutants that the suite does not see, one on each line: its class, its file and its change.
 *
 * `equivalent`: no client can see it. `not specified`: the specification allows it too. `miss`: the suite should see it.
 */
const survivorsFile = new URL('./survivors.txt', import.meta.url);

const { values } = parseArgs({
  options: { file: { type: 'string', default: '' }, workers: { type: 'string' } },
});
const workers = Number(values.workers ?? availableParallelism() + 1);
const keyOf = ({ file, change }: Pick<Mutant, 'file' | 'change'>) => `${file} ${change}`;
const known = readFileSync(survivorsFile, 'utf8').trim().split('\n');
const classes = new Map(
  known.map((line) => line.split(': ')).map(([name = '', ...key]) => [key.join(': '), name]),
);

await using folder = await mkdtempDisposable(join(tmpdir(), 'animal-store-mutants-'));
const mutants = (await instrumentMock(folder.path)).filter(({ file }) => file.includes(values.file));
const unchanged = await tryMutant(folder.path);
if (unchanged !== undefined) throw new Error(`Without a mutant the mock fails: ${unchanged}`);

const classOf = (mutant: Mutant) => classes.get(keyOf(mutant)) ?? 'unclassed';
const survivors = await findSurvivors();
const count = (name: string) => survivors.filter((mutant) => classOf(mutant) === name).length;
const [equivalent, open, unclassed] = [count('equivalent'), count('not specified'), count('unclassed')];
const seen = mutants.length - survivors.length;
const breaking = mutants.length - equivalent - open;
const unseen = `${equivalent} equivalent, ${open} not specified, ${count('miss')} missed, ${unclassed} unclassed`;
const percentage = ((100 * seen) / breaking).toFixed(1);
print(`${mutants.length} mutants: ${seen} seen, ${unseen}`);
print(`score: ${seen} of ${breaking} that break the specification, ${percentage} %`);
const wanted = new Set(classes.keys().filter((key) => key.split(' ')[0]?.includes(values.file)));
const obsolete = wanted.difference(new Set(survivors.map(keyOf)));
for (const key of obsolete) print(`in survivors.txt, but seen or removed: ${key}`);
if (unclassed + obsolete.size > 0) process.exitCode = 1;

/** Tries the mutants, a few at once, and prints each that survives. */
async function findSurvivors(): Promise<readonly Mutant[]> {
  const survivors: Mutant[] = [];
  const waiting = mutants.values();
  const work = async () => {
    for (const mutant of waiting) {
      if ((await tryMutant(folder.path, mutant.id)) !== undefined) continue;
      survivors.push(mutant);
      print(`${classOf(mutant)}: ${mutant.file}:${mutant.line} ${mutant.change}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return survivors;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
