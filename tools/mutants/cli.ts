import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { CouldNotTell, verifyDeployment } from '../../contract-tests/index.ts';
import { instrumentMock } from './instrument-mock.ts';

const options = { file: { type: 'string', default: '' }, workers: { type: 'string' } } as const;
const { values } = parseArgs({ options });
const workers = Number(values.workers ?? availableParallelism() + 1);

/**
 * Mutants that the suite does not see, one on each line: its class, its file and its change.
 *
 * `equivalent`: no client can see it. `not specified`: the specification allows it too. `miss`: the suite should see it.
 */
const known = readFileSync(new URL('./survivors.txt', import.meta.url), 'utf8').trimEnd();
const classes = new Map(
  known.split('\n').map((line) => [line.slice(line.indexOf(': ') + 2), line.split(': ', 1)[0]]),
);

/** Without Dredd, which takes a second for each mutant. */
const only = [
  'list-pets',
  'create-pet',
  'get-pet',
  'store',
  'errors',
  'service',
  'quickstart',
  'recommended',
];

await using folder = await mkdtempDisposable(join(tmpdir(), 'animal-store-mutants-'));
const mutants = (await instrumentMock(folder.path)).filter(({ key }) => isChosen(key));
if (await isSeen()) throw new Error('The mock fails without a mutant.');

const survivors: string[] = [];
const waiting = mutants.values();
await Promise.all(Array.from({ length: workers }, work));
const count = (name?: string) => survivors.filter((key) => classes.get(key) === name).length;
const [equivalent, open, unclassed] = [count('equivalent'), count('not specified'), count()];
const seen = mutants.length - survivors.length;
const breaking = mutants.length - equivalent - open;
const unseen = `${equivalent} equivalent, ${open} not specified, ${count('miss')} missed, ${unclassed} unclassed`;
const percentage = ((100 * seen) / breaking).toFixed(1);
print(`${mutants.length} mutants: ${seen} seen, ${unseen}`);
print(`score: ${seen} of ${breaking} that break the specification, ${percentage} %`);
const obsolete = [...classes.keys()].filter((key) => isChosen(key) && !survivors.includes(key));
for (const key of obsolete) print(`in survivors.txt, but seen or removed: ${key}`);
if (unclassed + obsolete.length > 0) process.exitCode = 1;

function isChosen(key: string): boolean {
  return key.split(' ')[0]?.includes(values.file) === true;
}

async function work(): Promise<void> {
  for (const { id, key, line } of waiting) {
    if (await isSeen(id)) continue;
    survivors.push(key);
    print(`${classes.get(key) ?? 'unclassed'}: ${key} (line ${line})`);
  }
}

/** Runs the suite against the mock with one mutant on, or none. Returns whether a clause failed, or there is no verdict. */
async function isSeen(id?: string): Promise<boolean> {
  const args = ['mock/cli.ts', '--port', '0', '--no-checked-proxy', '--log', 'silent'];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    env: { PATH: process.env.PATH, __STRYKER_ACTIVE_MUTANT__: id },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const signal = AbortSignal.timeout(30_000);
    for await (const line of createInterface({ input: child.stdout, signal })) {
      const [, url] = /listening on (http:\S+)$/.exec(line) ?? [];
      if (url !== undefined) return await fails(url);
    }
    return true;
  } finally {
    child.kill('SIGKILL');
  }
}

async function fails(baseUrl: string): Promise<boolean> {
  const failure = new AbortController();
  const target = { baseUrl, apiKey: 'test-key', allowWrites: true, quickstart: new URL(baseUrl).origin };
  const limits = { only, timeout: 5_000, runs: 10, signal: failure.signal };
  const report = await verifyDeployment({
    ...target,
    ...limits,
    onResult: ({ verdict }) => verdict === 'failed' && failure.abort(),
  }).catch((error) => {
    if (!(error instanceof CouldNotTell)) throw error;
  });
  return failure.signal.aborted || !report?.verdict.startsWith('conforms');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
