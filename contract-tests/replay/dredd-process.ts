import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import module from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { contractFile } from '../../common/contract-file.ts';
import { createHooks, REPLAYED } from './create-hooks.ts';
import type { DreddJob, DreddVerdict, Replay } from './run-dredd.ts';

type DreddTest = { readonly title: string; readonly message?: string };

const MOST_FAULTS = 20;

/** Modules of Dredd that are not needed: parsers of other formats, reporters, cookies, signatures. */
const unused =
  /\/(?:@apielements\/(?:apib|openapi2)-parser|har-validator|http-signature|psl)\/|\/(?:Apiary|HTML|Markdown|XUnit)Reporter\.js$/;

module.enableCompileCache();
module.registerHooks({
  load: (url, context, load) =>
    unused.test(url) ? { format: 'commonjs', source: '', shortCircuit: true } : load(url, context),
});

async function run({ replays, hooksFile }: DreddJob): Promise<readonly DreddVerdict[]> {
  // Node 22.15 gives a module that is imported after hooks a require without a cache.
  const Dredd = module.createRequire(import.meta.url)('dredd');
  const hooks = createHooks(replays);
  Object.assign(globalThis, { dreddHooks: hooks });
  const verdicts: DreddVerdict[] = [];
  const record = (verdict: DreddVerdict['verdict'], { title, message = '' }: DreddTest) => {
    const replay = hooks.prepared.get(title);
    if (replay === undefined) return;
    const faults = message.trim().split('\n').slice(0, MOST_FAULTS).join('\n');
    verdicts.push({ id: replay.id, verdict, message: faults });
  };
  const emitter = new EventEmitter()
    .on('start', (_descriptions: unknown, done: () => void) => done())
    .on('end', (done: () => void) => done())
    .on('test pass', (test: DreddTest) => record('passed', test))
    .on('test fail', (test: DreddTest) => record('failed', test))
    .on('test error', ({ message }: Error, { title }: DreddTest) => record('error', { title, message }));
  const dredd = new Dredd({
    endpoint: await startReplaying(replays),
    path: [],
    apiDescriptions: [{ location: 'openapi.yaml', content: readFileSync(contractFile, 'utf8') }],
    hookfiles: [hooksFile],
    emitter,
    reporter: [],
    loglevel: 'silent',
  });
  await promisify(dredd.run).call(dredd);
  // Without its hooks Dredd would send other requests, and say nothing.
  if (hooks.prepared.size === 0 && replays.length > 0) throw new Error('Dredd did not load its hooks.');
  return verdicts;
}

async function startReplaying(replays: readonly Replay[]): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const { response } = replays.find(({ id }) => id === incoming.headers[REPLAYED]) ?? {};
    if (response === undefined) return void outgoing.destroy();
    const { status, type, body } = response;
    outgoing.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// Without its parent nobody reads the report.
process.once('disconnect', () => process.exit());

process.once('message', async (job: DreddJob) => {
  const verdicts = await run(job);
  process.send?.(verdicts, () => process.disconnect());
});
