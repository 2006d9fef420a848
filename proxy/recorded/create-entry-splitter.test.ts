import { expect, test } from 'vitest';
import { createEntry, printHar } from '../testing/create-har.ts';
import { createEntrySplitter, LARGEST_ENTRY, MOST_VALUES_OF_ENTRY } from './create-entry-splitter.ts';

/** Splits a text that comes in pieces of so many bytes. */
function split(text: string, length: number) {
  const [splitter, bytes] = [createEntrySplitter(), Buffer.from(text)];
  const starts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => index * length);
  const entries = starts.flatMap((start) => splitter.push(bytes.subarray(start, start + length)));
  splitter.end();
  return entries;
}

test('entries are found wherever the pieces of a file end, and nothing that looks like them', () => {
  const entries = [
    createEntry({ answered: '["\\\\", "\\"entries\\": [", "}]ü\\u00fc"]' }),
    { request: [[], {}, '\\'], log: { entries: [1] } },
    ...['', '\\', '"', 7, null],
  ];
  const har = `\ufeff \n{"entries": [1, [2]], "log" : "log", ${printHar(entries).slice(1)}\n`;
  for (const length of [1, 2, 3, 7, 64, 4096]) {
    const found = split(har, length);
    expect(found.map(({ bytes }) => JSON.parse(String(bytes)))).toEqual(entries);
    const [first] = found;
    expect(Buffer.from(har).subarray(first?.position).toString()).toMatch(/^\{\s+"startedDateTime"/);
  }
});

test('an entry that is too large or holds too many values is told of and not kept, and those beside it are found', () => {
  const many = Array(MOST_VALUES_OF_ENTRY + 1).fill(0);
  const entries = ['a', 'x'.repeat(LARGEST_ENTRY), many, 'b'];
  const pages = `{"pages": ${JSON.stringify(many)}, ${printHar(entries).slice(1)}`;
  const found = split(pages, 256 * 1024);
  expect(found.map(({ bytes }) => bytes && JSON.parse(String(bytes)))).toEqual([
    'a',
    undefined,
    undefined,
    'b',
  ]);
});
