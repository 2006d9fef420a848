import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { instrumentMock, type Mutant } from './instrument-mock.ts';
import { tryMutant } from './try-mutant.ts';

/** A mutant that the suite does not see, and why that is right, or that it is a miss. */
interface Survivor {
  readonly file: string;
  readonly change: string;
  /** `equivalent`: nobody could tell; `not specified`: the specification allows it too; `miss`: the suite should see it. */
  readonly class: 'equivalent' | 'not specified' | 'miss';
}

const { values } = parseArgs({
  options: { file: { type: 'string', default: '' }, workers: { type: 'string' } },
});
const workers = Number(values.workers ?? availableParallelism() + 1);
const kept: readonly Survivor[] = JSON.parse(
  await readFile(join(import.meta.dirname, 'survivors.json'), 'utf8'),
);
const isSame = (one: Pick<Survivor, 'file' | 'change'>) => (other: Pick<Survivor, 'file' | 'change'>) =>
  one.file === other.file && one.change === other.change;

const folder = await mkdtemp(join(tmpdir(), 'animal-store-mutants-'));
try {
  process.exitCode = await run();
} finally {
  await rm(folder, { recursive: true });
}

async function run(): Promise<number> {
  const mutants = (await instrumentMock(folder)).filter(({ file }) => file.includes(values.file));
  const unchanged = await tryMutant(folder, undefined);
  if (unchanged.length > 0) throw new Error(`Without a mutant the mock fails on ${unchanged.join(', ')}.`);
  const survivors = (await findSurvivors(mutants)).map((mutant) => ({
    ...mutant,
    class: kept.find(isSame(mutant))?.class ?? 'unclassed',
  }));
  for (const { file, line, change, class: name } of survivors) print(`${name}: ${file}:${line} ${change}`);
  const count = (name: string) => survivors.filter((survivor) => survivor.class === name).length;
  const [equivalent, open] = [count('equivalent'), count('not specified')];
  const breaking = mutants.length - equivalent - open;
  const seen = mutants.length - survivors.length;
  print(
    `${mutants.length} mutants: ${seen} seen, ${equivalent} equivalent, ${open} not specified, ` +
      `${count('miss')} missed, ${count('unclassed')} unclassed`,
  );
  print(
    `score: ${seen} of ${breaking} that break the specification, ${((100 * seen) / breaking).toFixed(1)} %`,
  );
  const gone = kept
    .filter(({ file }) => file.includes(values.file))
    .filter((one) => !survivors.some(isSame(one)));
  for (const { file, change } of gone) print(`in survivors.json, but seen or gone: ${file} ${change}`);
  return count('unclassed') + gone.length === 0 ? 0 : 1;
}

/** Tries mutants, a few at once. */
async function findSurvivors(mutants: readonly Mutant[]): Promise<Mutant[]> {
  const survivors: Mutant[] = [];
  const waiting = mutants.values();
  const work = async () => {
    for (const mutant of waiting) {
      if ((await tryMutant(folder, mutant.id)).length === 0) survivors.push(mutant);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return mutants.filter((mutant) => survivors.includes(mutant));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
