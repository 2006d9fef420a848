import { animal, printPost } from '../bench/print-request.ts';

const MIB = 1024 * 1024;

/** As many values as are read at the most, and as many as 1 MiB holds, beside an animal. */
function fill(value: string): string[] {
  const most = MIB - animal.length - 10;
  const print = (count: number) => animal.replace('}', () => `,"x":[${Array(count).fill(value).join()}]}`);
  const values = value.split(/[[{,]/).length;
  const inMib = Math.floor(most / (value.length + 1));
  return [print(Math.min(inMib, Math.floor(14_900 / values))), print(inMib)];
}

/** A JSON object with members of their own names. */
function printMembers(count: number, pad: number, value: string): string {
  const members = Array.from({ length: count }, (_, index) => `"${String(index).padEnd(pad, 'k')}":${value}`);
  return animal.replace('}', () => `,${members.join()}}`);
}

const values = [
  '0',
  '1.5',
  '1e308',
  '1e399',
  '1e-399',
  '9'.repeat(50),
  '9'.repeat(400),
  'null',
  '""',
  '[]',
  '{}',
];
const bodies = [
  ...[...values, '"\\u00e9"', '[0.5]', '{"":1e399}', '{"id":"1","name":1,"status":"x"}'].flatMap(fill),
  ...[14_900, 50_000].flatMap((count) => [0, 12].map((pad) => printMembers(count, pad, '1e399'))),
  ...['[', '{"":', '"a', '1', '[1,', `${'['.repeat(1_900)}${']'.repeat(1_900)},`].map((part) =>
    part.repeat(MIB / part.length - 1),
  ),
  ...['\\"', '\\u00e9', '\\\\', ',', '123456789012345x', '1.5'].map((part) =>
    animal.replace('Rex', () => part.repeat((MIB - animal.length) / part.length)),
  ),
];
const blanks = ' '.repeat(15_000);
const mediaTypes = [`application/json${blanks}x`, `application/json;a=b${blanks}x`, ';a="'.repeat(3_750)];
const form = 'application/x-www-form-urlencoded';

/** Additions of animals, by bodies and media types that take long to read for their size. */
export const costlyRequests: readonly string[] = [
  ...bodies.map((body) => printPost(body)),
  ...mediaTypes.map((type) => printPost(animal).replace('application/json', () => type)),
  ...['&', 'a=%41&'].map((part) => printPost(part.repeat(170_000)).replace('application/json', form)),
];
