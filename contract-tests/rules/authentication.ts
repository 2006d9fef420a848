import { type Exchange, hasValidKey, isAscii } from '../client/exchange.ts';
import type { RequestSubject } from '../failures/failure.ts';
import { isOtherPath, otherPaths, WITH_SLASH } from '../history/list-parameters.ts';
import type { KeyTrial } from '../requests/keys.ts';
import { needsGetPet } from './get-pet-by-id.ts';
import { type Clause, type ClauseDefinition, type Evidence, type Look, underHeading } from './rule.ts';
import { compare, listAnswered, sight, wrongStatus } from './sight.ts';

export const authenticationClauses = underHeading('Authentication', { needs: ['keys'] })([
  ...createKeyClauses('list-pets', 'GET /pets', (exchange) => isOfLists(exchange)),
  ...createKeyClauses('create-pet', 'POST /pets', ({ request }) => request.method === 'POST'),
  ...createKeyClauses('get-pet', 'GET /pets/{petId}', isOfGetPet, needsGetPet),
  {
    id: 'create-pet/key-before-body',
    isOfWrites: true,
    sentence: 'POST /pets without a valid key returns 401 even if its body is not a NewPet, or not JSON.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    tolerated: {
      'what comes first when several things are wrong':
        'a body over 1 kB is refused before the key; what is not about the key is checked in any order',
    },
    look: (evidence) =>
      evidence
        .once(listAnswered)
        .filter(({ request }) => request.isBodyTrial === true)
        .map((exchange) => {
          const { body = '' } = exchange.request;
          return lookAtKey(exchange, { what: 'body', body });
        }),
  },
  {
    id: 'recommended/scheme-case',
    sentence: 'The scheme "Bearer" is accepted in any case (RFC 9110, section 11.1).',
    needs: ['other clients'],
    look: (evidence) =>
      evidence
        .once(listAnswered)
        .filter(({ request }) => request.form === 'the scheme in lower case')
        .map((exchange) => {
          const { status } = exchange;
          // Another status than 401 has another reason, unless it is a server fault.
          const isMet = status !== 401 && status > 0 && status < 500;
          return isMet ? compare(exchange) : sight(exchange, wrongStatus(exchange, 200));
        }),
  },
  {
    id: 'recommended/challenge',
    sentence: 'A 401 has a WWW-Authenticate header (RFC 9110, section 11.6.1).',
    look: (evidence) =>
      evidence
        .once(listAnswered)
        .filter(({ status, request }) => status === 401 && request.isAuthorized !== true)
        .map((exchange) =>
          exchange.response?.headers['www-authenticate'] === undefined
            ? sight(exchange, { kind: 'header', header: 'WWW-Authenticate' }, { subject: 'challenge' })
            : compare(exchange),
        ),
    findGap: (_, looks) => (looks.length === 0 ? { reason: 'no response was 401' } : undefined),
  },
]);

function createKeyClauses(
  prefix: string,
  operation: string,
  isOf: (exchange: Exchange) => boolean,
  findGap?: Clause['findGap'],
): readonly ClauseDefinition[] {
  const define = (trial: KeyTrial) => (evidence: Evidence) =>
    findGap?.(evidence, []) === undefined ? lookAtKeys(evidence, isOf, trial) : [];
  const gap = { ...(findGap && { findGap }), isOfWrites: prefix === 'create-pet' };
  return [
    {
      id: `${prefix}/missing-key`,
      sentence: `${operation} without a key returns 401.`,
      explainedBy: ['list-pets/missing-key', 'service/browser'],
      look: define('missing key'),
      ...gap,
    },
    {
      id: `${prefix}/invalid-key`,
      sentence: `${operation} with a key that differs from the valid one, even in one character, returns 401.`,
      explainedBy: [`${prefix}/missing-key`, 'list-pets/invalid-key', 'list-pets/success', 'get-pet/success'],
      tolerated: {
        'how a key is issued, its format, lifetime and scopes':
          'any printable ASCII without spaces; any scopes; a UUID in any case and without its hyphens',
        'an Authorization header that is not ASCII': 'a 400, with or without an Error',
      },
      look: define('invalid key'),
      ...gap,
    },
    {
      id: `${prefix}/bearer-form`,
      sentence: `${operation} with the valid key in another form than "Bearer <key>" returns 401.`,
      explainedBy: [
        ...[`${prefix}/missing-key`, `${prefix}/invalid-key`, 'list-pets/bearer-form'],
        ...['list-pets/success', 'get-pet/success'],
      ],
      look: define('other form'),
      ...gap,
    },
  ];
}

function isOfLists({ request, path }: Exchange): boolean {
  return request.method === 'GET' && (otherPaths.includes(path) || /^\/pets(?:\?|$)/.test(path));
}

function isOfGetPet({ request, path }: Exchange): boolean {
  return request.method === 'GET' && path.startsWith('/pets/') && path !== WITH_SLASH;
}

function lookAtKeys(
  evidence: Evidence,
  isOf: (exchange: Exchange) => boolean,
  trial: KeyTrial,
): readonly Look[] {
  return evidence.once(listAnswered).flatMap((exchange) => {
    const { request, path } = exchange;
    if (!isOf(exchange) || hasValidKey(exchange, evidence.target)) return [];
    // Without a key, another form of the path, or a word for an id, must not bring the list or an animal either; there need not be such
    // a path.
    const isOther = isOtherPath(path) || (request.trial ?? request.form) === undefined;
    if (isOther && trial === 'missing key') {
      const isBrought = Array.isArray(exchange.json) || exchange.id !== undefined;
      return exchange.isSuccess && isBrought ? [sight(exchange, wrongStatus(exchange, 401))] : [];
    }
    if (request.trial !== trial || request.isBodyTrial === true) return [];
    return [lookAtKey(exchange, describe(exchange))];
  });
}

/** Returns what a request tried, for the finding. */
function describe({ request: { headers, form } }: Exchange): RequestSubject | undefined {
  if (form !== undefined) return { what: 'form', form };
  const { Authorization: authorization } = headers;
  return authorization === undefined ? undefined : { what: 'authorization', authorization };
}

function lookAtKey(exchange: Exchange, subject: RequestSubject | undefined): Look {
  const { status, request } = exchange;
  if (status === 401 || isTolerated(exchange)) return compare(exchange);
  const fault = wrongStatus(exchange, 401, subject);
  return sight(exchange, fault, { subject: `${request.method} ${request.trial}` });
}

/** Letters of headers for which some servers have no room. */
const LARGE_HEADERS = 8_000;

/** Returns whether what a request has next to its key may be refused first: its size, its form, or a path that no router knows. */
function isTolerated({ status, request: { headers, form } }: Exchange): boolean {
  const size = Object.values(headers).join('').length;
  if (size >= LARGE_HEADERS && [400, 414, 431].includes(status)) return true;
  if (form === 'a large body without a key') return [400, 413].includes(status);
  if (form === 'an id with percent-encoded digits, without a key') return [400, 404].includes(status);
  return status === 400 && !isAscii(headers.Authorization);
}
