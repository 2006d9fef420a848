import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { promisify } from 'node:util';
import { contractFile } from '../../common/contract-file.ts';
import { TRANSACTION_ID } from './create-hooks.ts';
import type { DreddError, DreddField, DreddJob, DreddResult } from './run-dredd.ts';
import { unusedModules } from './unused-modules.ts';

/** The part of an event that says what Dredd has found. */
interface DreddTest {
  readonly request: { readonly headers: Readonly<Record<string, string>> };
  readonly results: {
    readonly valid: boolean;
    readonly fields: Readonly<Record<DreddField, { readonly errors: readonly Omit<DreddError, 'field'>[] }>>;
  };
}

/** Maximum number of errors of a transaction that are reported. */
const MOST_ERRORS = 20;

module.enableCompileCache();
module.registerHooks({
  load: (url, context, load) =>
    unusedModules.test(url) ? { format: 'commonjs', source: '', shortCircuit: true } : load(url, context),
});

/** Runs Dredd, and reports each transaction as soon as it has ended. */
async function run({ endpoint, values, hooksFile }: DreddJob): Promise<void> {
  const { default: Dredd } = await import('dredd');
  const found = new Set<string>();
  const reports: Promise<unknown>[] = [];
  const record = ({ request }: DreddTest, result: Omit<DreddResult, 'id'>) => {
    const id = request.headers[TRANSACTION_ID];
    // After an error Dredd may report a transaction again.
    if (id === undefined || found.has(id)) return;
    found.add(id);
    reports.push(report({ id, ...result }));
  };
  const recordValidation = (test: DreddTest) => {
    const { valid, fields } = test.results;
    const all = Object.entries(fields).flatMap(([field, { errors }]) =>
      errors.map(({ message, location }) => ({ field: field as DreddField, message, location })),
    );
    record(test, { isValid: valid, errors: all.slice(0, MOST_ERRORS) });
  };
  const emitter = new EventEmitter()
    .on('start', (_descriptions: unknown, done: () => void) => done())
    .on('end', (done: () => void) => done())
    .on('test pass', recordValidation)
    .on('test fail', recordValidation)
    .on('test error', ({ message }: Error, test: DreddTest) =>
      record(test, { isValid: false, errors: [], fault: message }),
    );
  const dredd = new Dredd({
    endpoint,
    path: [],
    apiDescriptions: [{ location: 'openapi.yaml', content: readFileSync(contractFile, 'utf8') }],
    hookfiles: [hooksFile],
    custom: { values },
    emitter,
    reporter: [],
    loglevel: 'silent',
  });
  await promisify(dredd.run).call(dredd);
  // Without its hooks Dredd would send other requests, and say nothing.
  if (found.size === 0) throw new Error('Dredd did not load its hooks.');
  await Promise.all(reports);
}

/** Sends a result to the parent. It never rejects, since the process ends with its parent. */
function report(result: DreddResult): Promise<unknown> {
  return new Promise((resolve) => process.send?.(result, resolve));
}

// Without its parent nobody reads the report.
process.once('disconnect', () => process.exit());

process.once('message', async (job: DreddJob) => {
  await run(job);
  process.disconnect();
});
