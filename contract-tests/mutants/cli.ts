import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instrumentMock, type Mutant } from './instrument-mock.ts';
import json from './survivors.json' with { type: 'json' };
import { tryMutant } from './try-mutant.ts';

/** A mutant that the suite does not see, and why that is right, or that it is a miss. */
interface Survivor extends Pick<Mutant, 'file' | 'change'> {
  /** `equivalent`: nobody could tell; `not specified`: the specification allows it too; `miss`: the suite should see it. */
  readonly class: 'equivalent' | 'not specified' | 'miss';
}

const { values } = parseArgs({
  options: { file: { type: 'string', default: '' }, workers: { type: 'string' } },
});
const workers = Number(values.workers ?? availableParallelism() + 1);
const isWanted = ({ file }: { readonly file: string }) => file.includes(values.file);
const keyOf = ({ file, change }: Pick<Mutant, 'file' | 'change'>) => `${file} ${change}`;
const known = (json as readonly Survivor[]).filter(isWanted);
const classes = new Map(known.map((one) => [keyOf(one), one.class]));

await using folder = await mkdtempDisposable(join(tmpdir(), 'animal-store-mutants-'));
const mutants = (await instrumentMock(folder.path)).filter(isWanted);
const unchanged = await tryMutant(folder.path);
if (unchanged.length > 0) throw new Error(`Without a mutant the mock fails on ${unchanged.join(', ')}.`);

const survivors = await findSurvivors();
const classOf = (mutant: Mutant) => classes.get(keyOf(mutant)) ?? 'unclassed';
for (const mutant of survivors) print(`${classOf(mutant)}: ${mutant.file}:${mutant.line} ${mutant.change}`);
const count = (name: string) => survivors.filter((mutant) => classOf(mutant) === name).length;
const [equivalent, open, unclassed] = [count('equivalent'), count('not specified'), count('unclassed')];
const seen = mutants.length - survivors.length;
const breaking = mutants.length - equivalent - open;
const unseen = `${equivalent} equivalent, ${open} not specified, ${count('miss')} missed, ${unclassed} unclassed`;
const percentage = ((100 * seen) / breaking).toFixed(1);
print(`${mutants.length} mutants: ${seen} seen, ${unseen}`);
print(`score: ${seen} of ${breaking} that break the specification, ${percentage} %`);
const gone = new Set(classes.keys()).difference(new Set(survivors.map(keyOf)));
for (const key of gone) print(`in survivors.json, but seen or gone: ${key}`);
if (unclassed + gone.size > 0) process.exitCode = 1;

/** Tries the mutants, a few at once. */
async function findSurvivors(): Promise<Mutant[]> {
  const survivors = new Set<Mutant>();
  const waiting = mutants.values();
  const work = async () => {
    for (const mutant of waiting)
      if ((await tryMutant(folder.path, mutant.id)).length === 0) survivors.add(mutant);
  };
  await Promise.all(Array.from({ length: workers }, work));
  return mutants.filter((mutant) => survivors.has(mutant));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
