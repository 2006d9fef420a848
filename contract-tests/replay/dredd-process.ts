// Before Dredd.
import './start-faster.ts';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import Dredd from 'dredd';
import { contractFile } from '../../common/contract-file.ts';
import { createHooks } from './create-hooks.ts';
import type { DreddJob, DreddReport, DreddVerdict } from './transaction.ts';

interface DreddTest {
  readonly title: string;
  readonly message?: string;
}

/** The most faults of a response that are told. */
const MOST_FAULTS = 20;

/** Runs Dredd in a process of its own, which it may litter and which may end with it. */
function run(job: DreddJob): Promise<DreddReport> {
  const hooks = createHooks(job);
  Object.assign(globalThis, { dreddHooks: hooks });
  const verdicts: DreddVerdict[] = [];
  const record = (verdict: DreddVerdict['verdict'], { title, message = '' }: DreddTest) => {
    const plan = hooks.prepared.get(title);
    // Without a plan it was skipped, and is told elsewhere.
    if (plan === undefined) return;
    const faults = message.trim().split('\n').slice(0, MOST_FAULTS).join('\n');
    verdicts.push({ id: plan.id, verdict, message: plan.skipped ?? faults });
  };
  const emitter = new EventEmitter()
    .on('start', (_descriptions: unknown, done: () => void) => done())
    .on('end', (done: () => void) => done())
    .on('test pass', (test: DreddTest) => record('passed', test))
    .on('test fail', (test: DreddTest) => record('failed', test))
    .on('test skip', (test: DreddTest) => record('skipped', test))
    .on('test error', ({ message }: Error, { title }: DreddTest) => record('error', { title, message }));
  const dredd = new Dredd({
    endpoint: job.endpoint,
    path: [],
    apiDescriptions: [{ location: 'openapi.yaml', content: readFileSync(contractFile, 'utf8') }],
    hookfiles: [job.hooksFile],
    emitter,
    reporter: [],
    loglevel: 'silent',
  });
  return new Promise((resolve) => {
    dredd.run((error) => {
      // Without its hooks Dredd would ask for other things, and say nothing.
      const isIdle = hooks.prepared.size === 0 ? 'Dredd did not load its hooks.' : undefined;
      resolve({ verdicts, error: error ? `Dredd failed: ${error.message}` : isIdle });
    });
  });
}

// The parent has gone, so nobody reads the report.
process.once('disconnect', () => process.exit());

process.once('message', async (job: DreddJob) => {
  const report = await run(job);
  process.send?.(report, () => process.disconnect());
});
