import type { Headers } from '../../common/http/headers.ts';
import { readSessionNames } from '../../common/http/session-names.ts';
import type { Violation } from '../../common/journal/violation.ts';
import { findSecrets, isKeyName, redactParameters } from '../../common/text/find-keys.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import {
  type CheckRequest,
  type Exchange,
  type ExchangeRequest,
  type ExchangeSummary,
  type FoundViolation,
  LOWEST_ERROR_STATUS,
} from '../exchange.ts';
import { cutText } from './cut-text.ts';
import { printDifference, printReceived } from './print-received.ts';

/** Maximum number of characters of a message, which may quote a path. */
const LONGEST_MESSAGE = 400;

/** The same for a place, which has a column of a table. */
const LONGEST_PLACE = 120;

/** Returns the known keys and the keys of a request. */
export function findKeys({ headers, target, query }: ExchangeRequest, keys: Keys): Keys {
  const decoded = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    isKeyName(name) ? [value] : [],
  );
  return keys.with([...findSecrets(Object.entries(headers), target), ...decoded]);
}

/** Maximum number of values of Authorization whose keys are redacted in other exchanges too. Each test may have its own user. */
const MOST_ACCEPTED = 5_000;

/** The same for values that were refused, or not answered. */
const MOST_REFUSED = 10;

/** Maximum length of all these values, in characters. The spellings of keys take about 50 times as many bytes. */
const LONGEST_REMEMBERED = 2_000_000;

/** Minimum length of a refused key that is redacted in other exchanges, in characters. A shorter one is mostly a word, which other texts have too. */
const SHORTEST_REFUSED = 16;

/** Text that stands for a key has signs that no key has, or is the name of a variable, which is in our curl commands too. */
const PLACEHOLDER = /[<>${}]|^[A-Z_]+$/;

/** A header with nothing but such a text, which may be a word without its signs. A longer one may be a key that somebody has wrapped. */
const ONLY_PLACEHOLDER = /^(?:\w+\s+)?(?:<[^<>]{0,16}>|\$?\{+[^{}]{0,16}\}+|\$?\{?ANIMAL_STORE_API_KEY\}?)$/;

/**
 * Remembers the keys in Authorization, which other exchanges may have where nothing indicates a key.
 * @returns a function that gets the headers and the status of each exchange, which is undefined without a response
 */
export function createKeyMemory(keys: Keys) {
  const accepted = new Set<string>();
  const refused = new Set<string>();
  let room = LONGEST_REMEMBERED;
  return ({ authorization = '' }: Headers, status: number | undefined): void => {
    const isAccepted = status !== undefined && status < LOWEST_ERROR_STATUS;
    const [known, most] = isAccepted ? [accepted, MOST_ACCEPTED] : [refused, MOST_REFUSED];
    if (ONLY_PLACEHOLDER.test(authorization) || known.has(authorization)) return;
    if (known.size >= most || authorization.length > room) return;
    known.add(authorization);
    room -= authorization.length;
    const found = findSecrets([['authorization', authorization]]);
    // What the service has accepted is a key, whatever it looks like.
    keys.add(found.filter((key) => isAccepted || (!PLACEHOLDER.test(key) && key.length >= SHORTEST_REFUSED)));
  };
}

/**
 * Returns the same check, whose violations leave the proxy: a client gets them in a refusal, and the log, the reports, the console
 * and programs get them as findings. So they have no keys, and what was received is cut.
 */
export function redactCheck(check: CheckRequest<FoundViolation>, keys: Keys): CheckRequest {
  return (request) => {
    const { violations, checkResponse, ...checked } = check(request);
    const show = (found: readonly FoundViolation[]) => {
      // Few exchanges have violations, and spelling the keys takes time.
      if (found.length === 0) return [];
      const all = findKeys(request, keys);
      return found.map((one) => showViolation(one, all));
    };
    return {
      ...checked,
      violations: show(violations),
      checkResponse: (response) => {
        const { violations, brokenRules, ...others } = checkResponse(response);
        return { ...others, violations: show(violations), brokenRules: show(brokenRules) };
      },
    };
  };
}

/** Returns a violation without keys. Its rule and what the contract requires are no text of others. */
function showViolation({ wanted, ...found }: FoundViolation, keys: Keys): Violation {
  const { message, received } = redact({ message: found.message, received: found.received }, keys);
  const [side = '', ...names] = found.location;
  const location = [side, ...redact(names, keys)];
  const path = found.missing === undefined ? location : [...location, found.missing];
  const [expected, shown] =
    wanted === undefined || received === undefined
      ? [undefined, received && printReceived(received)]
      : printDifference(redact(wanted, keys), received);
  const whole = expected === undefined ? message : `${message} (${expected})`;
  return {
    ...found,
    location,
    place: cutText(path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.'), LONGEST_PLACE),
    message: cutText(redactParameters(whole), LONGEST_MESSAGE),
    received: shown,
  };
}

/** Returns what is shown of an exchange next to its violations. */
export function summarize(exchange: Exchange, keys: Keys): ExchangeSummary {
  const { request, response, startedAt, entry } = exchange;
  const { target, sessions } = redact(
    { target: request.target, sessions: readSessionNames(request.target, request.headers) },
    findKeys(request, keys),
  );
  return {
    method: request.method,
    target: redactParameters(target),
    sessions,
    status: response?.status,
    startedAt,
    sentAs: response?.sentAs,
    entry,
  };
}
