import type { RequestOptions } from '../client/to-request.ts';
import type { Animal, History } from '../history/history.ts';
import { type Sender, spread } from './sender.ts';

/** Number of animals of the first look that are requested by their ids. */
const MOST_READ = 80;
const FEW_READ = 12;

/** Number of animals with an integer that a double cannot hold among them. They show more than the others. */
const MOST_LARGE = 8;

function toPath(id: bigint | string): RequestOptions {
  return { path: `/pets/${id}` };
}

function hasLarge({ observations }: Animal): boolean {
  const values = observations.flatMap(({ shown }) => Object.values(shown ?? {}));
  return values.some((value) => typeof value === 'bigint' && !Number.isSafeInteger(Number(value)));
}

/** Requests animals of the first look by their ids, several at once, so that responses could be mixed up. */
export async function sendIds(sender: Sender): Promise<void> {
  const animals = [...sender.history.animals.values()];
  const known = animals.map(({ id }) => id);
  const large = animals
    .filter(hasLarge)
    .slice(0, MOST_LARGE)
    .map(({ id }) => id);
  const ids = [...new Set([...large, ...spread(known, sender.mayWrite ? MOST_READ : FEW_READ)])];
  await sender.sendTogether(ids.map(toPath));
  // Twice at once, since reading must neither remove nor lock anything.
  await sender.sendTogether(ids.slice(0, 2).flatMap((id) => [toPath(id), toPath(id)]));
}

const unlikelyIds = [2n ** 63n - 1n, -(2n ** 63n), 8_765_432_109_876_543_210n, 0n, -1n];

/** Numbers of ids in a run that may not write. */
const MOST_UNLIKELY = 4;
const MOST_NEAR = 3;
const MOST_GAPS = 3;
const MOST_NON_INTEGERS = 6;

/** What is no int64. The first ones are of every kind that a gateway may refuse. */
const nonIntegers = [
  ...['abc', '1.5', '9223372036854775808', '%00', '%E0%A4', '9'.repeat(400)],
  ...['1e400', '%20', 'null', '-9223372036854775809', '1,2', '9'.repeat(5_000)],
];

/** Requests ids that no animal has, and what is no id. */
export async function sendUnknownIds(sender: Sender): Promise<void> {
  const { history } = sender;
  const near = listNearIds(history);
  const few = [...unlikelyIds.slice(0, MOST_UNLIKELY), ...near.slice(0, MOST_NEAR)];
  const chosen = sender.mayWrite
    ? [...unlikelyIds, ...near]
    : [...few, ...spread(listGaps(history), MOST_GAPS)];
  const [first] = history.animals.keys();
  const beginnings =
    first === undefined
      ? []
      : [...['abc', '.5', '%20OR%201=1'].map((end) => `${first}${end}`), `${first + 2n ** 64n}`];
  await sender.sendTogether([...new Set(chosen)].map(toPath));
  await sender.sendTogether([...sender.chooseFew(nonIntegers, MOST_NON_INTEGERS), ...beginnings].map(toPath));
}

/** Requests the ids that look like those of the animals that were added, and the ones next to them. */
export async function sendNearIds(sender: Sender): Promise<void> {
  await sender.sendTogether([...new Set(listNearIds(sender.history))].map(toPath));
}

const MOST_NEIGHBOURS = 8;

/** Powers of ten that leave the last digits of an id as they are: the least that 32 bits hold, and the largest of int64. */
const powersOfTen = [10n ** 9n, 10n ** 18n];

/** Lists the ids after known ones that are not known themselves: there may be an animal that lists leave out, or the one before it. */
function listGaps(history: History): readonly bigint[] {
  const known = [...history.animals.keys()].filter((id) => history.isKnown(id));
  return known
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((id) => id + 1n)
    .filter((id) => !history.isKnown(id));
}

/** Lists ids that look like an existing one to a program that loses a sign, high bits or low digits, and ids in gaps. */
function listNearIds(history: History): readonly bigint[] {
  const ids = [...history.animals.values()].filter(({ id }) => history.isKnown(id)).map(({ id }) => id);
  const own = [...history.animals.values()].flatMap(({ id, addition }) =>
    addition === undefined ? [] : [id],
  );
  const [first = 1n] = ids;
  const known = new Set(ids);
  const isUnknown = (id: bigint) => !known.has(id);
  // A double cannot tell such an id from its neighbour.
  const neighbours = ids.flatMap((id) => {
    const alike = [id - 1n, id + 1n].find((near) => Number(near) === Number(id) && isUnknown(near));
    return alike ?? [];
  });
  const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const ends = powersOfTen.flatMap((power) => {
    const id = [...own, ...sorted].find((one) => one > 0n && one < power && isUnknown(one + power));
    return id === undefined ? [] : [id + power];
  });
  const beginnings = sorted.map((id) => id / 10n).filter((id) => id > 0n && isUnknown(id));
  const near = [
    ...[first + 2n ** 32n, (sorted[0] ?? 1n) - 1n, -first, (sorted.at(-1) ?? 1n) + 1n],
    ...[...ends, ...beginnings.slice(0, 1), ...spread(listGaps(history), MOST_NEIGHBOURS)],
    ...neighbours.slice(0, MOST_NEIGHBOURS),
  ];
  return near.filter((id) => BigInt.asIntN(64, id) === id && isUnknown(id));
}
