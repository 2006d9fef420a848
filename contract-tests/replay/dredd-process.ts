import { EventEmitter } from 'node:events';
import Dredd from 'dredd';
import { createHooks } from './create-hooks.ts';
import type { DreddJob, DreddReport, Transaction } from './transaction.ts';

/** What Dredd tells of a transaction. */
interface DreddTest {
  readonly title: string;
  readonly message?: string;
  readonly actual?: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  };
}

/** Runs Dredd in a process of its own, which it may litter and which may end with it. */
function run(job: DreddJob): Promise<DreddReport> {
  const hooks = createHooks(job);
  Object.assign(globalThis, { dreddHooks: hooks, dreddInterval: job.interval });
  const transactions: Transaction[] = [];
  const record = (verdict: Transaction['verdict'], { title, message = '', actual }: DreddTest) => {
    const { id = title, request, skipped } = hooks.prepared.get(title) ?? {};
    const response = actual && { status: actual.statusCode, headers: actual.headers, body: actual.body };
    transactions.push({ id, verdict, message: skipped ?? message.trim(), request, response });
  };
  const emitter = new EventEmitter()
    .on('start', (_descriptions: unknown, done: () => void) => done())
    .on('end', (done: () => void) => done())
    .on('test pass', (test: DreddTest) => record('passed', test))
    .on('test fail', (test: DreddTest) => record('failed', test))
    .on('test skip', (test: DreddTest) => record('skipped', test))
    .on('test error', (error: Error, { title }: DreddTest) =>
      record('error', { title, message: error.message }),
    );
  const dredd = new Dredd({
    endpoint: job.baseUrl,
    path: [],
    apiDescriptions: [{ location: 'openapi.yaml', content: job.contract }],
    hookfiles: [job.hooks],
    // A deployment may send gzip to who does not say what it reads.
    http: { gzip: true, timeout: job.timeout },
    emitter,
    reporter: [],
    loglevel: 'silent',
  });
  return new Promise((resolve) => {
    dredd.run((error) => {
      resolve({ hasHooks: hooks.prepared.size > 0, transactions, error: error?.message });
    });
  });
}

// Without who has asked, there is nobody to tell.
process.once('disconnect', () => process.exit());

process.once('message', async (job: DreddJob) => {
  const report = await run(job);
  process.send?.(report, () => process.disconnect());
});
