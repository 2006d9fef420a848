import { completeBehaviour } from '../choices/behaviours.ts';
import { isSafeCode } from './candidates.ts';
import type { Features } from './describe-reply.ts';
import type { Learned } from './learn.ts';
import { nameRequest } from './name-request.ts';
import type { Seen } from './read-recording.ts';

/** What a response had, and what the mock would have sent instead, by the parts of a response that differ. */
export interface Unpredicted {
  readonly request: string;
  readonly received: Readonly<Record<string, string>>;
  readonly predicted: Readonly<Record<string, string>>;
}

/** Parts of a response that are compared if its status is the predicted one. Lists change with what other clients add. */
const compared = [
  'body',
  'code',
  'header content-type',
  'header allow',
  'header www-authenticate',
  'header location',
];

const CONTENT_TYPE = /^[\w/+.;=-]{1,60}$/;

/** Finds responses that the mock with a learned behaviour would not have given, each kind of them once. */
export function findUnpredicted({ findings, behaviour, replay }: Learned): Unpredicted[] {
  // Of a choice that is not certain, any value is right that explains all responses.
  const likely = [...findings].filter(([, { values }]) => values.length > 0);
  const first = Object.fromEntries(likely.map(([name, { values }]) => [name, values[0]]));
  const complete = completeBehaviour({ ...first, ...behaviour });
  const found = new Map<string, Unpredicted>();
  for (const one of replay.cases) {
    const { seen, real } = one;
    const { features } = replay.answer(one, complete);
    const parts = ['status', ...(features.get('status') === real.get('status') ? compared : [])].filter(
      (part) => features.get(part) !== real.get(part) && !replay.isUnknown(one, part, features),
    );
    if (parts.length === 0) continue;
    const received = pick(real, parts, seen);
    const unpredicted = { request: nameRequest(seen), received, predicted: pick(features, parts, seen) };
    found.set(JSON.stringify(unpredicted), unpredicted);
  }
  return [...found.values()];
}

/** Picks parts of a response that are safe to be written: a service may send anything. */
function pick(features: Features, parts: readonly string[], seen: Seen): Record<string, string> {
  const toSafe = (part: string, value: string) => {
    const isSafe =
      part === 'code'
        ? isSafeCode(value, seen)
        : part === 'header content-type'
          ? CONTENT_TYPE.test(value)
          : true;
    return isSafe ? value : '{other}';
  };
  return Object.fromEntries(parts.map((part) => [part, toSafe(part, features.get(part) ?? '-')]));
}
