import type { Behaviour, ChoiceName } from '../../common/behaviour/choices.ts';
import { listCodes } from '../../common/behaviour/error-codes.ts';
import { isMemberName } from '../../common/behaviour/further-members.ts';
import type { Fingerprint } from '../../common/learn/fingerprints.ts';

/** A difference that probes have shown. */
export interface ProbeDifference {
  /** `other` is the side that lacks a header or a member. */
  readonly kind: 'status' | 'code' | 'header' | 'member';
  /** Name of the header or of the member. Undefined for a status or a code. */
  readonly name?: string;
  /** The statuses or codes of both sides, or whether each side has it. */
  readonly first: string;
  readonly second: string;
  readonly probes: readonly string[];
}

/** A choice with another value on each side. */
export interface DifferentChoice {
  readonly name: ChoiceName;
  readonly values: readonly Behaviour[ChoiceName][];
}

const NO_CODE = 'no code';
const HAS = 'yes';
const HAS_NOT = 'no';

/**
 * Returns the differences of two deployments, for the probes that both have.
 * @param different the choices that differ, with the values of both sides: their effects are left out
 */
export function compareFingerprints(
  first: readonly Fingerprint[],
  second: readonly Fingerprint[],
  different: readonly DifferentChoice[],
): readonly ProbeDifference[] {
  const byProbe = indexByProbe(first);
  const others = indexByProbe(second);
  const all = [...byProbe]
    .flatMap(([probe, seen]) => compareProbe(probe, seen, others.get(probe) ?? []))
    .filter((difference) => !different.some(({ name, values }) => explainedBy[name](difference, values)));
  const equal = Map.groupBy(all, ({ probes, ...difference }) => JSON.stringify(difference));
  return [...equal.values()].flatMap(([one, ...more]) =>
    one === undefined ? [] : [{ ...one, probes: [one, ...more].flatMap(({ probes }) => probes) }],
  );
}

type Index = ReadonlyMap<string, readonly Fingerprint[]>;

function indexByProbe(fingerprints: readonly Fingerprint[]): Index {
  const entries = fingerprints.flatMap((one) => one.probes.map((probe) => [probe, one] as const));
  const byProbe = Map.groupBy(entries, ([probe]) => probe);
  return new Map([...byProbe].map(([probe, some]) => [probe, some.map(([, one]) => one)]));
}

function compareProbe(
  probe: string,
  first: readonly Fingerprint[],
  second: readonly Fingerprint[],
): ProbeDifference[] {
  if (first.length === 0 || second.length === 0) return [];
  const pairs = first.flatMap((one) =>
    second.filter(({ status }) => status === one.status).map((other) => [one, other] as const),
  );
  // A probe is many requests. One status in common may be the one that the other run has not met.
  if (pairs.length > 0) return pairs.flatMap(([one, other]) => compareAnswers(probe, one, other));
  const [statuses, others] = [first, second].map((some) => some.map(({ status }) => status).join(' or '));
  return [{ kind: 'status', first: `${statuses}`, second: `${others}`, probes: [probe] }];
}

/** Compares what both sides returned with the same status. */
function compareAnswers(probe: string, first: Fingerprint, second: Fingerprint): ProbeDifference[] {
  const probes = [`${probe} → ${first.status}`];
  const codesOf = ({ codes }: Fingerprint) => (codes.length > 0 ? codes : [NO_CODE]);
  const hasCommon = codesOf(first).some((code) => codesOf(second).includes(code));
  const codes = [first, second].map((one) => codesOf(one).join(' or '));
  return [
    ...(hasCommon ? [] : [{ kind: 'code' as const, first: `${codes[0]}`, second: `${codes[1]}`, probes }]),
    ...compareNames('header', first.headers, second.headers, probes),
    ...(first.members && second.members ? compareNames('member', first.members, second.members, probes) : []),
  ];
}

/** Finds the names that all responses of one side have, and none of the other side. */
function compareNames(
  kind: 'header' | 'member',
  first: readonly string[],
  second: readonly string[],
  probes: readonly string[],
): ProbeDifference[] {
  const lackedBy = (names: readonly string[], others: readonly string[]) =>
    names.filter((name) => !name.endsWith('?') && !others.includes(name) && !others.includes(`${name}?`));
  return [
    ...lackedBy(first, second).map((name) => ({ kind, name, first: HAS, second: HAS_NOT, probes })),
    ...lackedBy(second, first).map((name) => ({ kind, name, first: HAS_NOT, second: HAS, probes })),
  ];
}

type IsExplained = (difference: ProbeDifference, values: DifferentChoice['values']) => boolean;

/** Returns a test of whether all probes of a difference match. */
const isOf =
  (pattern: RegExp): IsExplained =>
  ({ probes }) =>
    probes.every((probe) => pattern.test(probe));

const isMember =
  (...names: readonly string[]): IsExplained =>
  ({ kind, name = '' }) =>
    kind === 'member' && names.includes(name);

const isHeader =
  (...names: readonly string[]): IsExplained =>
  ({ kind, name = '' }) =>
    kind === 'header' && names.includes(name);

const isNothing: IsExplained = () => false;

/** Differences that follow from a choice, if both sides know it and differ. */
export const explainedBy: { readonly [Name in ChoiceName]: IsExplained } = {
  order: isNothing,
  statusWhenOmitted: isMember('status'),
  listsWithoutStatus: isMember('status'),
  pageSize: isNothing,
  limitAbove100: isOf(/limit=\{above 100\}/),
  limitBelow1: isOf(/limit=\{below 1\}/),
  limitWord: isOf(/limit=\{no number\}/),
  limitFraction: isOf(/limit=\{fraction\}/),
  limitLeadingZero: isOf(/limit=\{leading zero\}/),
  limitEmpty: isOf(/limit=\{empty\}/),
  invalidStatus: isOf(/status=\{(?:empty|other|several|status in another case)\}/),
  statusCase: isOf(/status=\{status in another case\}/),
  statusLists: isOf(/status=\{several\}/),
  repeatedParameters: isOf(/limit=.*limit=|status=.*status=/),
  pages: isNothing,
  unknownParameters: isOf(/\?(?:.*&)?\{other\}/),
  unknownMembers: isOf(/further members|own id/),
  duplicateMembers: isOf(/member twice/),
  longestName: isOf(/long name|unusual name/),
  shortestName: isOf(/unusual name/),
  nameCharacters: isOf(/long name|unusual name/),
  emptyNames: isOf(/empty name|name of spaces/),
  uniqueNames: isOf(/taken name/),
  categories: isOf(/unlisted category|empty name/),
  ids: isNothing,
  integerNotations: isOf(/another notation/),
  refusedMember: isNothing,
  otherMediaTypes: isOf(/another media type/),
  malformedId: isOf(/\/pets\/\{(?:word|other text|no int64|malformed)\}/),
  unknownPaths: isOf(/\{other path\}/),
  unknownPathWithoutKey: isOf(/\{other path\}.*no key/),
  errorCodes: isOfCodes,
  errorMembers: ({ kind, probes }) => kind === 'member' && probes.every((probe) => / → [45]/.test(probe)),
  animalMembers: ({ kind, name = '', probes }) =>
    kind === 'member' && isMemberName(name) && probes.every((probe) => / → 2/.test(probe)),
  charset: isNothing,
  schemeCase: isOf(/bearer in lower case/),
  challenge: isHeader('www-authenticate'),
  location: isHeader('location'),
  deprecationHeaders: isHeader('deprecation', 'sunset', 'link'),
  listDelay: isNothing,
  getDelay: isNothing,
  trailingSlash: isOf(/\/pets\/(?: →|[,?]|$)/),
  head: isOf(/^HEAD/),
  otherMethods: isOf(/^(?!GET|HEAD|POST)|^POST \/pets\//),
  allow: isHeader('allow'),
  etag: isHeader('etag'),
  rateLimit: isNothing,
  fullStore: isOf(/^POST \/pets/),
};

/** Returns whether both sides have sent a code in two styles, or the codes that their values have for the status. */
function isOfCodes(
  { kind, first, second, probes }: ProbeDifference,
  values: DifferentChoice['values'],
): boolean {
  if (kind !== 'code') return false;
  const statuses = probes.map((probe) => Number(/ → (\d+)$/.exec(probe)?.[1]));
  const isOfValues = (status: number) => {
    const [one, other] = values.map((value) => listCodes(value as Behaviour['errorCodes'], status));
    return one?.includes(first) && other?.includes(second);
  };
  return toPlain(first) === toPlain(second) || statuses.every(isOfValues);
}

/** Returns a code without its style. */
const toPlain = (code: string) => code.toLowerCase().replaceAll(/[^a-z\d]/g, '');
