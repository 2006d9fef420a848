import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { cpus, platform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Exchange, exchangeOnce, exchanges, measureCpu, measureRate, measureStart } from './measure.ts';
import { type Server, startServer, stockPrism } from './start-server.ts';

/** Values of two programs that were measured in turns. */
type Comparison = readonly [title: string, turns: readonly (readonly [ours: number, theirs: number])[]];

interface Table {
  readonly title: string;
  readonly columns: readonly [theirs: string, ours: string];
  readonly compare: () => Promise<Comparison[]>;
}

const vsExpress = ['plain Express', 'mock'] as const;
const vsBare = ['bare', 'mock'] as const;
const vsStock = ['stock', 'checked proxy'] as const;
const rate = 'Requests per second, 32 connections:';
const later = 'every start but the first';
const start = 'Milliseconds from the start of the process to the first response';
const basic: Exchange[] = ['a list of 20', 'one animal', 'a 401', 'adding an animal'];
const sized: Exchange[] = ['a list of 20', 'a list of 100 by status', 'one animal', 'a 401'];
const varied = (Object.keys(exchanges) as Exchange[]).slice(5);

const startMock = (...options: string[]) => startServer(['mock/bin.js', '--port', '0', ...options]);
const startSized = (animals: number) => startMock('--log', 'silent', '--animals', `${animals}`);
const startProxy = () => startServer(['proxy/bin.js', upstream.url, '--port', '0']);
const startBare = async (url: string, exchange?: Exchange) =>
  startServer(['tools/bench/bare-server.js', JSON.stringify(await exchangeOnce(url, exchange))]);

await using upstream = await startMock('--log', 'silent', '--no-checked-proxy', '--animals', '1000');

const tables: readonly Table[] = [
  {
    title:
      'Microseconds of CPU time for a request, 32 connections: the mock without a log, and a plain Express ' +
      'application that sends the same bytes',
    columns: vsExpress,
    compare: compareCpu,
  },
  {
    title: `${rate} the mock without a log, and a bare node:http server with the same bytes ready`,
    columns: vsBare,
    compare: () => compareRates(basic, startMock('--log', 'silent'), startBare),
  },
  {
    title: `${rate} the same with a log line for each request, as by default`,
    columns: vsBare,
    compare: () => compareRates(basic, startMock('--log', 'pretty'), startBare),
  },
  { title: start, columns: vsBare, compare: compareStarts },
  {
    title: `${rate} a mock of 1,000,000 animals, and one of 1,000`,
    columns: ['1,000', '1,000,000'],
    compare: () => compareRates(sized, startSized(1_000_000), () => startSized(1_000)),
  },
  {
    title: `${rate} the checked proxy and the stock \`prism proxy\`, both as they start by default, before the same mock`,
    columns: vsStock,
    compare: () => compareRates(varied, startProxy(), () => startStock()),
  },
  {
    title: `${rate} the same, the stock one without its log`,
    columns: vsStock,
    compare: () => compareRates(varied, startProxy(), () => startStock('--verboseLevel', 'silent')),
  },
  {
    title: `${start}, of either proxy`,
    columns: vsStock,
    compare: async () => [await takeTurns(later, 8, [startProxy, startStock], measureStart)],
  },
];

const { values, positionals } = parseArgs({ options: { save: { type: 'boolean' } }, allowPositionals: true });
const [part = ''] = positionals;
const printed: string[] = [];
for (const table of tables.filter(({ title }) => title.includes(part))) {
  printed.push(printTable(table, await table.compare()));
  process.stdout.write(`${printed.at(-1)}\n`);
}
if (values.save) {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${platform()} ${release()}, Node ${process.version}`;
  const text = `Measured on ${date}: ${machine}.\n\n${printed.join('\n')}`;
  writeFileSync(join(import.meta.dirname, 'results/bench.md'), text);
}

/** Measures two programs in turns. Every other turn starts with the second program. The first turn does not count. */
async function takeTurns<Program>(
  title: string,
  count: number,
  [ours, theirs]: readonly [Program, Program],
  measure: (program: Program) => Promise<number>,
): Promise<Comparison> {
  const [, ...turns] = await Array.fromAsync({ length: count + 1 }, async (_, turn) => {
    const early = turn % 2 === 0 ? undefined : await measure(theirs);
    return [await measure(ours), early ?? (await measure(theirs))] as const;
  });
  return [title, turns];
}

/** Compares the requests per second of two servers. The second server is another process for each exchange. */
async function compareRates(
  chosen: readonly Exchange[],
  starting: Promise<Server>,
  startTheirs: (ours: string, exchange: Exchange) => Promise<Server>,
): Promise<Comparison[]> {
  await using ours = await starting;
  return await Array.fromAsync(chosen, async (exchange) => {
    await using theirs = await startTheirs(ours.url, exchange);
    const measure = ({ url }: Server) => measureRate(url, exchange, 800);
    return await takeTurns(exchange, 8, [ours, theirs], measure);
  });
}

/** Compares the CPU time of the mock and of a plain Express application. Both report their CPU time to this process. */
async function compareCpu(): Promise<Comparison[]> {
  const start = (...args: string[]) =>
    startServer(['--import', join(import.meta.dirname, 'report-cpu.js'), ...args], 'inherit', 'ipc');
  await using mock = await start('mock/bin.js', '--port', '0', '--log', 'silent', '--no-checked-proxy');
  return await Array.fromAsync(basic, async (exchange) => {
    await using plain = await start(
      'tools/bench/plain-express.js',
      JSON.stringify(await exchangeOnce(mock.url, exchange)),
    );
    return await takeTurns(exchange, 8, [mock, plain], (server) => measureCpu(server, exchange, 800));
  });
}

/** Compares the time to the first response, with Node's compile cache as a start leaves it, and without a cache. */
async function compareStarts(): Promise<Comparison[]> {
  await using cache = await mkdtempDisposable(join(tmpdir(), 'bench-compile-cache-'));
  process.env.NODE_COMPILE_CACHE = cache.path;
  const bare = ['tools/bench/bare-server.js', JSON.stringify(await exchangeOnce(upstream.url))];
  const starts = [() => startMock(), () => startServer(bare)] as const;
  const next = await takeTurns(later, 16, starts, measureStart);
  process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  const first = await takeTurns('the first start on a machine', 16, starts, measureStart);
  delete process.env.NODE_DISABLE_COMPILE_CACHE;
  delete process.env.NODE_COMPILE_CACHE;
  return [next, first];
}

/**
 * Prints comparisons as a Markdown table: medians, the median ratio and its spread. Each turn has its own
 * ratio, because both values of a turn share the noise of the machine.
 */
function printTable({ title, columns }: Table, comparisons: readonly Comparison[]) {
  const rows = comparisons.map(([title, turns]) => {
    const medians = [1, 0].map((side) => Math.round(median(turns.map((turn) => turn[side] ?? Number.NaN))));
    const ratios = turns.map(([ours, theirs]) => ours / theirs);
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [title, ...medians, median(ratios).toFixed(2), spread];
  });
  const head = ['', ...columns, 'ratio', 'spread'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}\n`;
}

/** Returns the middle value, or the upper one of two. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function startStock(...options: string[]): Promise<Server> {
  // Without its log, stock Prism does not print its URL.
  const printUrl = `import { subscribe } from 'node:diagnostics_channel';
    subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
      process.stdout.write('listening on http://127.0.0.1:' + server.address().port + '\\n');
    });`;
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(printUrl)}`];
  const prism = [stockPrism, 'proxy', 'openapi.yaml', upstream.url];
  return startServer([...preload, ...prism, '--port', '0', ...options]);
}
