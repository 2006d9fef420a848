import fc from 'fast-check';
import { printExactJson } from '../../common/exact-json.ts';

/** Values that are no string. */
const notStrings = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 2 }),
);

/** Numbers that are none of int64, and what is no number; as JSON text, since doubles cannot hold all of them. */
const notInt64s = fc.oneof(
  fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }).map(String),
  fc.bigInt({ min: 10n ** 38n, max: 10n ** 40n }).map(String),
  fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 63n) - 1n }).map(String),
  fc.tuple(fc.integer(), fc.integer({ min: 1, max: 9 })).map(([whole, tenth]) => `${whole}.${tenth}`),
  fc.string({ maxLength: 10 }).map((text) => JSON.stringify(text)),
  fc.integer().map((number) => `"${number}"`),
  fc.constantFrom('true', 'false', 'null', '[]', '[1]', '{}'),
);

const known = ['available', 'pending', 'sold'];

/** Values that are no PetStatus. */
const notStatuses = fc.oneof(
  fc.string({ maxLength: 12 }).filter((text) => !known.includes(text)),
  fc.constantFrom(...known).map((status) => status.toUpperCase()),
  fc.constantFrom(...known).map((status) => ` ${status}`),
  notStrings,
);

/**
 * Bodies, as JSON, whose one fault is the value of a field.
 *
 * @param name a name that is lawful.
 * @param categoryId one that the deployment knows.
 */
export function createBodiesWithFault(
  field: 'name' | 'categoryId' | 'status',
  name: string,
  categoryId: bigint,
): fc.Arbitrary<string> {
  const toBody = (fields: Readonly<Record<string, string>>) => {
    const all = { name: JSON.stringify(name), categoryId: String(categoryId), ...fields };
    return `{${Object.entries(all)
      .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
      .join(',')}}`;
  };
  switch (field) {
    case 'name':
      return notStrings.map((value) => toBody({ name: JSON.stringify(value) }));
    case 'categoryId':
      return notInt64s.map((value) => toBody({ categoryId: value }));
    default:
      return notStatuses.map((value) => toBody({ status: printExactJson(value as string) }));
  }
}
