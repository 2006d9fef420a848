import type { Damage } from './damage.ts';
import { damageToBody } from './damage-to-body.ts';
import { damageToHeaders } from './damage-to-headers.ts';
import { damageToTarget } from './damage-to-target.ts';
import { printLawful } from './print-request.ts';
import { createRandom, type Random } from './random.ts';

/** What becomes of a connection once the bytes are sent: `wait` leaves it to the server until there is an answer. */
export type Ending = 'wait' | 'half-close' | 'destroy' | 'reset';

/** A request that no proper client would send, and how its connection is treated. */
export interface MalformedRequest {
  /** The name of its damage. */
  readonly kind: string;
  /** What is sent: all of the request, or its beginning. */
  readonly bytes: Buffer;
  readonly ending: Ending;
  /** Whether it must be answered. */
  readonly isOwed: boolean;
}

const mutations: readonly ((text: string, at: number, random: Random) => string)[] = [
  (text, at, random) =>
    splice(text, at, 1, String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(8)))),
  (text, at, random) => splice(text, at, 1 + random.below(8), ''),
  (text, at, random) => splice(text, at, 0, text.slice(at, at + 1 + random.below(20))),
  (text, at, random) => splice(text, at, 0, random.bytes(1 + random.below(4))),
];

function splice(text: string, at: number, removed: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + removed);
}

function mutate(random: Random): string {
  let text = printLawful(random);
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    text = random.pick(mutations)(text, random.below(text.length), random);
  }
  return text;
}

const mutated: Damage = { print: mutate, isOwed: false };

/** All kinds of damage by their names; mutations count as several, finding what nobody thought of. */
const kinds: readonly (readonly [string, Damage])[] = [
  ...Object.entries({ ...damageToTarget, ...damageToHeaders, ...damageToBody }),
  ...Array.from({ length: 6 }, () => ['mutated', mutated] as const),
];

/** To wait in vain takes as long as a connection may last, so that it happens seldom. */
const endings: Readonly<Record<'owed' | 'unowed', readonly Ending[]>> = {
  owed: [...Array<Ending>(16).fill('wait'), 'half-close', 'half-close', 'destroy', 'reset'],
  unowed: ['wait', ...Array<Ending>(24).fill('half-close'), ...Array<Ending>(12).fill('destroy'), 'reset'],
};

/** Creates the request of an index in the run of a seed, the same one each time. */
export function createMalformedRequest(seed: number, index: number): MalformedRequest {
  const random = createRandom(seed, index);
  const [kind, { print, isOwed }] = random.pick(kinds);
  const bytes = Buffer.from(print(random), 'latin1');
  if (random.isChance(0.05)) {
    const ending = random.pick<Ending>(['half-close', 'destroy', 'reset']);
    return { kind, bytes: bytes.subarray(0, random.below(bytes.length)), ending, isOwed: false };
  }
  const ending = random.pick(endings[isOwed ? 'owed' : 'unowed']);
  return { kind, bytes, ending, isOwed: isOwed && ending === 'wait' };
}
