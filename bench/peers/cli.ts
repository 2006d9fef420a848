import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../comparison.ts';
import { type Exchange, exchanges, measureRate } from '../measure.ts';
import { describeMachine, saveResult } from '../save-result.ts';
import { startMockProcess } from '../server-process.ts';
import { drawBars } from './draw-bars.ts';
import { createPeers, type Peer, readAnimals } from './peers.ts';
import { startPeer } from './start-peer.ts';

/** How often each server is started, and then measured with each request. */
const TURNS = 3;

/** How long a server is measured at once, in milliseconds. */
const TURN = 1_500;

const { list, one, addition } = exchanges;
const rates = [list, one, addition].map(({ title }) => `${title}, requests/s`);
const columns = ['first answer after, ms', ...rates, 'resident memory, MB'];

await using mock = await startMockProcess('--log', 'silent', '--no-checked-proxy');
const animals = await readAnimals(mock.url);
await mock.stop();

const turns = await Array.fromAsync({ length: TURNS }, () => takeTurn(createPeers(animals)));
const rows = createPeers([]).map(({ name }, index) => ({
  name,
  values: columns.map((_, column) => median(turns.map((turn) => turn[index]?.[column] ?? Number.NaN))),
}));
const table = printTable();
process.stdout.write(table);
if (process.argv.includes('--save')) {
  const isRate = (title: string) => rates.includes(title);
  const bars = rows.map(({ name, values }) => ({
    name,
    values: values.filter((_, column) => isRate(columns[column] ?? '')),
  }));
  saveResult('peers.svg', drawBars(rates, bars));
  const readme = join(import.meta.dirname, '../../README.md');
  const between = /(<!-- peers -->\n).*?(<!-- \/peers -->)/s;
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(between, `$1\n${table}\n${describeMachine()}.\n$2`),
  );
}

/** Measures every server once, one after the other. */
function takeTurn(peers: readonly Peer[]): Promise<number[][]> {
  return Array.fromAsync(peers, async (peer) => {
    await using server = await startPeer(peer);
    const measure = (exchange: Exchange) => measureRate(server.url, exchange, TURN);
    await measureRate(server.url, list, peer.warmUp ?? 3_000);
    const rates = await Array.fromAsync([list, one, addition], measure);
    return [server.ms, ...rates, server.readMemory()];
  });
}

/** Prints the medians as a Markdown table; the other servers' as multiples of ours too. */
function printTable(): string {
  const [ours] = rows;
  const printValue = (value: number, column: number) => {
    const multiple = value / (ours?.values[column] ?? Number.NaN);
    const rounded = Math.round(value).toLocaleString('en');
    return multiple === 1 ? rounded : `${rounded} (× ${multiple.toPrecision(2)})`;
  };
  const cells = rows.map(({ name, values }) => [name, ...values.map(printValue)]);
  const head = ['', ...columns];
  const lines = [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
