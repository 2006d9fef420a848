import { compareProxyRates, compareProxyStarts } from './compare-proxies.ts';
import { compareRates, compareSizes } from './compare-rates.ts';
import { compareStarts } from './compare-starts.ts';
import { printTable, type TableOptions } from './print-table.ts';
import type { Comparison } from './statistics.ts';

const mockAndBare = { theirs: 'bare', ours: 'mock' };
const proxies = { theirs: 'stock', ours: 'checked proxy' };
const rate = 'Requests a second, 32 connections:';

const tables: readonly (TableOptions & { compare: () => Promise<Comparison[]> })[] = [
  {
    title: `${rate} the mock without a log, and a bare node:http server with the same bytes ready`,
    ...mockAndBare,
    goal: { least: 0.8 },
    compare: () => compareRates({ isBareTuned: false, log: 'silent' }),
  },
  {
    title: `${rate} the same with a log line for each request, as by default`,
    ...mockAndBare,
    compare: () => compareRates({ isBareTuned: false, log: 'pretty' }),
  },
  {
    title: `${rate} without a log, the bare server having optimizeEmptyRequests as the mock has`,
    ...mockAndBare,
    compare: () => compareRates({ isBareTuned: true, log: 'silent' }),
  },
  {
    title: 'Milliseconds from the start of the process to the first answer',
    ...mockAndBare,
    goal: { most: 2.5 },
    compare: compareStarts,
  },
  {
    title: `${rate} a mock of 1,000,000 animals, and one of 1,000`,
    theirs: '1,000',
    ours: '1,000,000',
    compare: compareSizes,
  },
  {
    title: `${rate} the checked proxy and the stock \`prism proxy\`, both as they start by default, before the same mock`,
    ...proxies,
    goal: { least: 3 },
    compare: () => compareProxyRates({ theirs: [] }),
  },
  {
    title: `${rate} the same, the stock one without its log`,
    ...proxies,
    compare: () => compareProxyRates({ theirs: ['--verboseLevel', 'silent'] }),
  },
  {
    title: 'Milliseconds from the start of the process to the first answer, of either proxy',
    ...proxies,
    goal: { most: 0.5 },
    compare: compareProxyStarts,
  },
];

const [wanted = ''] = process.argv.slice(2);

for (const { compare, ...options } of tables.filter(({ title }) => title.includes(wanted))) {
  process.stdout.write(`${printTable(options, await compare())}\n`);
}
