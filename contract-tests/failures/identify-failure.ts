import { isDeepStrictEqual } from 'node:util';
import type {
  BodyProblem,
  ExpectedResponse,
  Failure,
  FailureOf,
  FaultKind,
  RequestSubject,
} from './failure.ts';
import { suspectChange } from './suspect-change.ts';

/** What makes two failures of a clause the same, whatever the animals and the words. */
export interface FailureIdentity {
  readonly kind: FaultKind;
  /** Such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** The member or the header that is wrong. */
  readonly member?: string;
  /** The status that was expected, or a kind of response such as `4xx`. */
  readonly expected?: ExpectedResponse;
  /** The status that was received. */
  readonly status: number | 'none';
  /** What else tells two failures of a kind apart, such as how a value was changed. `#` stands for digits. */
  readonly detail?: string;
}

type Parts = Partial<Pick<FailureIdentity, 'member' | 'expected' | 'detail'>>;

/** What makes two failures of each kind the same, next to the operation and the status that was received. */
const partsOf: { readonly [Kind in FaultKind]: (failure: FailureOf<Kind>) => Parts } = {
  status: ({ expected, request }) => ({ expected, ...partsOfRequest(request) }),
  'server fault': ({ words }) => ({ ...(words && { detail: words }) }),
  body: ({ expected, problem }) => ({ ...partsOfProblem(problem), detail: describeBody(expected, problem) }),
  'error status': () => ({}),
  header: ({ header, received }) => ({
    member: header.toLowerCase(),
    detail: received === undefined ? 'missing' : 'another value',
  }),
  'byte order mark': () => ({ member: 'content-type' }),
  member: (failure) => ({
    member: failure.member,
    detail: `${failure.compared}, ${describeChange(failure)}`,
  }),
  'hidden member': ({ member }) => ({ member }),
  filter: ({ member }) => ({ member }),
  count: ({ compared, expected, received }) => ({
    detail: `${received > expected ? 'too many' : 'too few'}, ${compared}`,
  }),
  missing: ({ lacks, received }) => ({ detail: `${lacks}, ${received}` }),
  'two lists': ({ member, values }) => ({ member, detail: values.toSorted().join(' and ') }),
  id: ({ idProblem }) => ({ member: 'id', detail: idProblem }),
  duplicate: ({ where }) => ({ detail: where }),
  'mixed up': ({ member }) => ({ member }),
  added: () => ({}),
};

export const faultKinds = Object.keys(partsOf) as readonly FaultKind[];

/** Returns the identity of a failure: grouping and `--known` compare failures by it. */
export function identifyFailure<Kind extends FaultKind>(failure: FailureOf<Kind>): FailureIdentity {
  const { kind, status } = failure;
  const parts = partsOf[kind as Kind] as (one: FailureOf<Kind>) => Parts;
  const { member, expected, detail } = parts(failure);
  return {
    kind,
    operation: failure.operation,
    ...(member !== undefined && { member }),
    ...(expected !== undefined && { expected }),
    status: status ?? 'none',
    ...(detail !== undefined && { detail }),
  };
}

/** Returns whether two failures are the same. */
export function isSameFailure(one: FailureIdentity, other: FailureIdentity): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns whether a failure has all that an identity says of it. What the identity leaves out may be anything. */
export function isFailureAs(identity: FailureIdentity, failure: FailureIdentity): boolean {
  const members = Object.keys(identity) as (keyof FailureIdentity)[];
  return members.every((name) => identity[name] === failure[name]);
}

/** Returns the first failure of each identity. */
export function listDistinct(failures: readonly Failure[]): readonly Failure[] {
  const byIdentity = Map.groupBy(failures, (failure) => JSON.stringify(identifyFailure(failure)));
  return [...byIdentity.values()].flatMap((same) => same.slice(0, 1));
}

/** Numbers in a request may differ from run to run, such as a category. */
function maskDigits(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}

function partsOfRequest(request: RequestSubject | undefined): Parts {
  switch (request?.what) {
    case undefined:
      return {};
    case 'body':
      return { detail: maskDigits(request.body) };
    case 'authorization':
      return { detail: request.authorization };
    case 'query':
      return { detail: request.query };
    case 'petId':
      return { detail: maskDigits(request.petId) };
    case 'form':
      return { detail: request.form };
    case 'media type':
      return { detail: request.mediaType };
    case 'member':
      return { member: request.member, detail: maskDigits(request.value) };
    case 'animal':
      return { detail: `an animal that was seen ${request.seen}` };
    case 'at once':
    case 'notation':
    case 'unknown id':
    case 'like a listed animal':
      return { detail: request.what };
  }
}

function partsOfProblem(problem: BodyProblem): Parts {
  return problem.is === 'invalid' && problem.member !== undefined ? { member: problem.member } : {};
}

function describeBody(expected: string, problem: BodyProblem): string {
  return `${expected}, ${problem.is === 'invalid' ? problem.rule : problem.is}`;
}

function describeChange(failure: FailureOf<'member'>): string {
  if (failure.received === undefined) return 'missing';
  if (failure.expected === undefined) return 'added';
  return suspectChange(failure)?.cause ?? 'another value';
}
