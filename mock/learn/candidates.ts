import { errorStatuses } from '../../common/http/errors.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { Behaviour, ChoiceName } from '../choices/choices.ts';
import { codeStyles, isCode } from '../choices/errors.ts';
import { serviceContract } from '../contract.ts';
import { findProblems } from '../service/read-request.ts';
import { animalsIn } from './describe-reply.ts';
import type { Finding } from './finding.ts';
import type { Seen } from './read-recording.ts';
import type { Replay } from './replay.ts';

/** Limits that services have for names, in characters. */
const usualLimits = [255, 100, 50, 256, 128, 64, 200, 120, 80, 500, 512, 1_024, 60];

const { limit, members } = serviceContract;

const isAddition = ({ method, status }: Seen) => method === 'POST' && status === 201;
const isRefusal = ({ method, status }: Seen) => method === 'POST' && status === 400;
const nameOf = ({ sent }: Seen) => (typeof sent.name === 'string' ? sent.name : '');
const categoryOf = ({ sent }: Seen) => (typeof sent.categoryId === 'bigint' ? sent.categoryId : 0n);

/** Returns whether nothing but the length of a name can be wrong with a body. */
function isUsual(seen: Seen): boolean {
  const given = members.filter(({ isGiven }) => isGiven);
  const isKnown = (name: string) => given.some((member) => member.name === name);
  return (
    findProblems(seen.sent, given).length === 0 &&
    Object.keys(seen.sent).every(isKnown) &&
    /^[\w. -]*$/.test(nameOf(seen))
  );
}

/** Finds values that a choice may have beyond the listed ones, in what was refused and in what was received. */
export const candidates: { readonly [Name in ChoiceName]?: (replay: Replay) => readonly number[] } = {
  longestName: ({ all }) => {
    const longest = Math.max(0, ...all.filter(isAddition).map((one) => nameOf(one).length));
    const refused = all.filter((one) => isRefusal(one) && isUsual(one) && nameOf(one).length > longest);
    const [first] = refused.toSorted((one, other) => nameOf(one).length - nameOf(other).length);
    if (first === undefined) return [];
    const most = nameOf(first).length - 1;
    const isNamed = new RegExp(`\\b${most}\\b`).test(first.text ?? '');
    // Otherwise the limit may be anything from the longest accepted name on.
    return most === longest || isNamed || usualLimits.includes(most) ? [most] : [longest, most];
  },
  limitAbove100: ({ history }) => {
    const above = history.lists.filter(({ path }) => /^\/pets\?limit=\d{3,}$/.test(path));
    const lengths = above.map(({ json }) => animalsIn(json).length);
    // As long a list as any other may be cut by the size of pages.
    const isOwn = (length: number) => length > 0 && length < history.longest && length !== limit.usual;
    return [...new Set(lengths)].filter(isOwn);
  },
};

/** The largest category that a service may not refuse for its size. */
const LARGEST_CATEGORY = 2n ** 31n - 1n;

const isSuccess = ({ status }: Seen) => status < 300;

/** Says of a response, and of the reply of the mock with the default value, whether a choice is about it, where services often treat other requests in a way of their own. */
export const about: { readonly [Name in ChoiceName]?: (seen: Seen, reply: Reply | undefined) => boolean } = {
  charset: isSuccess,
  deprecationHeaders: isSuccess,
  otherMediaTypes: ({ headers }) =>
    /^(?:text\/plain|application\/x-www-form-urlencoded)/i.test(headers['content-type'] ?? ''),
  refusedMember: (_, reply) => /^(?:missing |member )/.test(reply?.error?.kind ?? ''),
  categories: (seen) => categoryOf(seen) <= LARGEST_CATEGORY && categoryOf(seen) >= -LARGEST_CATEGORY,
};

/** Returns whether a value is a code of an Error that may be written: it repeats neither the key nor an id of its request. */
export function isSafeCode(value: unknown, { path, headers }: Seen): value is string {
  if (!isCode(value)) return false;
  const [key = ''] = /\S+$/.exec(headers.authorization ?? '') ?? [];
  const repeatsKey = key !== '' && value.includes(key);
  return !repeatsKey && !value.match(/\d{3,}/g)?.some((digits) => path.includes(digits));
}

/** Lists the codes of a mock with the default codes for a status, the usual one first. */
function listUsualCodes(status: number): readonly string[] {
  return Object.entries(errorStatuses).flatMap(([code, known]) => (known === status ? [code] : []));
}

/** Finds the code of each status, or of each kind of refusal with the status. The mock says which kind it would have been. */
export function findErrorCodes(replay: Replay, behaviour: Behaviour): Finding | undefined {
  // A few exchanges of each shape show what kind of refusal it is.
  const cases = new Map(replay.cases.map((one) => [one.seen, one]));
  const errors = replay.all.flatMap((seen) => {
    const code = animalsIn(seen.json)[0]?.code;
    if (seen.status < 400 || !isSafeCode(code, seen)) return [];
    const one = cases.get(seen);
    const reply = one && replay.answer(one, behaviour).reply;
    const isPredicted = reply?.status === seen.status && !seen.isKeyUnknown;
    return [{ seen, code, kind: isPredicted ? reply.error?.kind : undefined }];
  });
  if (errors.length === 0) return undefined;
  const isOfStyle = (style: keyof typeof codeStyles) =>
    errors.every(({ seen, code }) =>
      listUsualCodes(seen.status).some((usual) => codeStyles[style](usual) === code),
    );
  const styles = (Object.keys(codeStyles) as (keyof typeof codeStyles)[]).filter(isOfStyle);
  const evidence = errors.slice(0, 2).map(({ seen }) => seen);
  if (styles.length > 0) return { values: styles, evidence };
  const codes: Record<string, string> = {};
  const collect = (key: string, some: typeof errors) => {
    const [only, ...others] = new Set(some.map(({ code }) => code));
    if (only !== undefined && others.length === 0) codes[key] = only;
    return others.length === 0;
  };
  for (const [status, ofStatus] of Map.groupBy(errors, ({ seen }) => seen.status)) {
    if (collect(`${status}`, ofStatus)) continue;
    for (const [kind, ofKind] of Map.groupBy(ofStatus, (one) => one.kind))
      if (kind !== undefined) collect(`${status} ${kind}`, ofKind);
  }
  return { values: Object.keys(codes).length > 0 ? [codes as never] : [], evidence };
}
