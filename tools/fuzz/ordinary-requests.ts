import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { printGet } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';
import type { Trial } from './run-trials.ts';

/** Fetches animals on one connection; the answers must be in the order of the requests. */
async function fetchAll(url: string, ids: readonly number[]): Promise<void> {
  const bytes = ids.map((id) => printGet(`/v1/pets/${id}`)).join('');
  const { answers } = await sendRaw(url, { bytes, expected: ids.map(() => '200').join(' ') });
  const found = answers.map(({ status, body }) => (status === 200 ? JSON.parse(body).id : body));
  assert.deepEqual(found, ids);
}

const toTrials = <T>(values: fc.Arbitrary<T>, run: (url: string, value: T) => Promise<unknown>) =>
  values.map((value): Trial => ({ describe: () => JSON.stringify(value), run: (url) => run(url, value) }));

/** The mock has more animals than 120. */
const id = fc.integer({ min: 1, max: 120 });
const part = fc
  .integer({ min: 1, max: 200 })
  .map((length) => printGet('/v1/pets/7').repeat(2).slice(0, length));
const leaving = fc.record({ bytes: part, ending: fc.constantFrom('destroy', 'resetAndDestroy') });

/** Trials of clients that get animals, or leave early. */
export const ordinaryTrials: fc.Arbitrary<Trial> = fc.oneof(
  { weight: 20, arbitrary: toTrials(fc.array(id, { minLength: 1, maxLength: 12 }), fetchAll) },
  { weight: 2, arbitrary: toTrials(leaving, sendRaw) },
);
