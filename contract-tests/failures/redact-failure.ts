import { type Keys, redact } from '../../common/text/redact.ts';
import type { Failure, FailureOf, FaultKind } from './failure.ts';

/** The members of each kind of failure that hold what a deployment or a user has sent. The others are words of the suite. */
const foreign: { readonly [Kind in FaultKind]: readonly (keyof FailureOf<Kind>)[] } = {
  status: ['request', 'shape'],
  'server fault': ['otherwise', 'words'],
  body: ['problem', 'body'],
  'error status': ['received'],
  header: ['received'],
  'byte order mark': [],
  member: ['expected', 'received', 'id'],
  'hidden member': ['id'],
  filter: ['expected', 'received', 'id'],
  count: [],
  missing: ['id', 'has'],
  'two lists': ['id', 'values'],
  id: ['expected', 'received'],
  duplicate: ['ids'],
  'mixed up': ['expected', 'received'],
  added: ['id', 'name'],
};

/** Members of a request and of a body's problem that are words of the suite. */
const ownWords: ReadonlySet<string> = new Set([
  'what',
  'form',
  'seen',
  'is',
  'schema',
  'member',
  'pointer',
  'rule',
]);

/** Redacts what a deployment or a user has sent in a failure. Words of the suite stay, even if they are keys too. */
export function redactFailure(failure: Failure, keys: Keys): Failure {
  const names: readonly string[] = ['said', 'noResponse', ...foreign[failure.kind]];
  const entries = Object.entries(failure).map(([name, value]) => [
    name,
    names.includes(name) ? redact(value, keys, ownWords) : value,
  ]);
  return Object.fromEntries(entries) as Failure;
}
