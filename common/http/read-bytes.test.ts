import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readBytes } from './read-bytes.ts';

test.for([1, 1_024, 3_000])('a body in %d pieces is read as a whole', async (count) => {
  const pieces = Array.from({ length: count }, (_, index) => Buffer.from(`${index},`));
  const { bytes, hasRest, error } = await readBytes(Readable.from(pieces), () => true);
  expect([bytes.equals(Buffer.concat(pieces)), hasRest, error]).toEqual([true, false, undefined]);
});
