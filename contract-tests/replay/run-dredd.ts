import { fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { printExactJson } from '../../common/json/exact-json.ts';
import type { RequestOptions } from '../client/client.ts';
import type { Exchange } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import { Interrupted, NotApplicable, Skipped, TooFewAnimals } from '../client/result.ts';
import { type Context, isRemoved } from '../model/context.ts';
import { needsWrites } from '../model/expectations.ts';

/** A response that openapi.yaml documents. It is sent to the process of Dredd. */
export interface Replay {
  readonly id: string;
  /** The path of a request that deserves the response. */
  readonly path: string;
  readonly response: { status: number; type: string | undefined; body: Buffer } | undefined;
}

export interface DreddJob {
  readonly replays: readonly Replay[];
  readonly hooksFile: string;
}

export interface DreddVerdict {
  readonly id: string;
  readonly verdict: 'passed' | 'failed' | 'error';
  readonly message: string;
}

const LONGEST_STDERR = 2_000;
const UNKNOWN = '/pets/8765432109876543210';

type Plan = RequestOptions & { readonly skipped?: Skipped | undefined };

/**
 * Sends a request for each response that openapi.yaml documents, and lets Dredd validate the responses.
 * @throws Error when Dredd did not do its work, which is a fault of the suite
 */
export async function runDredd(context: Context, hooksFile = join(import.meta.dirname, 'hooks.cjs')) {
  const plans = Object.entries(await planRequests(context));
  const sent = await inParallel(plans, ([id, plan]) => sendPlanned(context, id, plan));
  context.signal.throwIfAborted();
  const replays = sent.flatMap(({ id, exchange }) =>
    exchange === undefined ? [] : [{ id, path: exchange.path, response: toReplayed(exchange) }],
  );
  const verdicts = await forkProcess({ replays, hooksFile }, context.signal);
  return sent.map((one) => ({ ...one, result: verdicts.find(({ id }) => id === one.id) }));
}

async function planRequests(context: Context): Promise<Readonly<Record<string, Plan>>> {
  const { id } = (await context.findListed()) ?? {};
  const removed = (await isRemoved(context))
    ? new NotApplicable('GET /pets/{petId} has been removed, as announced')
    : undefined;
  const none = typeof id === 'bigint' ? undefined : new TooFewAnimals('the list has no animals');
  const pet = { name: context.nameFor('replayed'), categoryId: await context.findCategory() };
  const skipped = context.target.allowsWrites ? undefined : needsWrites();
  const post = { method: 'POST', path: '/pets', body: printExactJson(pet), skipped };
  const authorization = undefined;
  return {
    'listPets 200': { path: '/pets' },
    'listPets 400': { path: '/pets?limit=0' },
    'listPets 401': { path: '/pets', authorization },
    'createPet 201': post,
    'createPet 400': { ...post, body: '{}' },
    'createPet 401': { ...post, authorization },
    'getPet 200': { path: `/pets/${id}`, skipped: removed ?? none },
    'getPet 401': { path: UNKNOWN, skipped: removed, authorization },
    'getPet 404': { path: UNKNOWN, skipped: removed },
  };
}

/** @returns the exchange, or as `skipped` the error of the client or the reason why no request was sent */
async function sendPlanned(context: Context, id: string, { skipped, ...plan }: Plan) {
  if (skipped !== undefined) return { id, skipped };
  try {
    return { id, exchange: await context.send({ ...plan, headers: { Accept: 'application/json' } }) };
  } catch (error) {
    if (!(error instanceof Skipped) || error instanceof Interrupted) throw error;
    return { id, skipped: error };
  }
}

function toReplayed(exchange: Exchange): Replay['response'] {
  if (exchange.response === undefined) return undefined;
  const { status, headers, body, length } = exchange.response;
  const json = length === undefined ? undefined : exchange.json;
  const replayed = json === undefined ? body : Buffer.from(printExactJson(json));
  return { status, type: headers['content-type'], body: replayed };
}

function forkProcess(job: DreddJob, signal: AbortSignal): Promise<readonly DreddVerdict[]> {
  const file = join(import.meta.dirname, `dredd-process${extname(import.meta.filename)}`);
  const child = fork(file, [], {
    // Node warns of the old dependencies.
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // The old dependencies need no secret of the job.
    env: {},
    signal,
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    const all = `${stderr}${chunk}`;
    // Without the rest of a word that is cut, which may be a key.
    stderr = all.length > LONGEST_STDERR ? all.slice(-LONGEST_STDERR).replace(/^\S+/, '') : all;
  });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as DreddVerdict[]));
    child.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.once('exit', (code, by) =>
      reject(new Error(`Dredd ended with ${by ?? code} and no report: ${stderr}`)),
    );
    child.send(job);
  });
}
