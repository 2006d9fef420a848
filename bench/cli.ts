import { compareRates, compareSizes } from './compare-rates.ts';
import { compareStarts } from './compare-starts.ts';
import { printTable } from './print-table.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

print(
  printTable(
    {
      title: 'Requests a second, 32 connections: bare node:http with the bytes ready, and the mock',
      theirs: 'bare',
      ours: 'mock',
      goal: { least: 0.8 },
    },
    await compareRates(),
  ),
);
print(
  printTable(
    {
      title: 'Milliseconds from the start of the process to the first answer',
      theirs: 'bare',
      ours: 'mock',
      goal: { most: 2.5 },
    },
    await compareStarts(),
  ),
);
print(
  printTable(
    {
      title: 'Requests a second, 32 connections: a mock of 1,000 animals, and one of 1,000,000',
      theirs: '1,000',
      ours: '1,000,000',
      goal: { least: 0.8 },
    },
    await compareSizes(),
  ),
);
