import type { Clause } from './core/clause.ts';
import type { Exchange } from './core/exchange.ts';
import { printCurl } from './core/print-curl.ts';
import { printRequest, printResponse } from './core/print-exchange.ts';
import type { Verdict } from './core/result.ts';
import { basicCredentials, createWrongKeys } from './core/wrong-keys.ts';

/** What shows a failure: an exchange as text, without the key. */
export interface Evidence {
  readonly request: string;
  readonly response: string;
  /** Reproduces the request; the key is `$ANIMAL_STORE_API_KEY`. */
  readonly curl: string;
  /** In milliseconds. */
  readonly ms: number;
}

/** What became of a clause, as reports have it: text alone, none of it secret. */
export interface Outcome {
  readonly clause: Pick<Clause, 'id' | 'heading' | 'sentence' | 'level'>;
  readonly verdict: Verdict['kind'];
  /** Of a failure. */
  readonly expected?: string;
  readonly actual?: string;
  readonly evidence?: Evidence;
  /** Why a clause was skipped, or what went wrong in the suite itself. */
  readonly reason?: string;
  /** In milliseconds. */
  readonly ms: number;
}

/** Puts a verdict into words; whatever a deployment has echoed of the key is hidden. */
export function toOutcome(
  { clause: whole, verdict, ms }: { clause: Clause; verdict: Verdict; ms: number },
  { apiKey, headers }: { apiKey: string; headers: Readonly<Record<string, string>> },
): Outcome {
  const { id, heading, sentence, level } = whole;
  const clause = { id, heading, sentence, level };
  // What a gateway wants may be a secret as well.
  const hide = (text: string) =>
    Object.values(headers).reduce((hidden, value) => hideKey(hidden, value), hideKey(text, apiKey));
  switch (verdict.kind) {
    case 'passed':
      return { clause, verdict: verdict.kind, ms };
    case 'failed':
      return {
        clause,
        verdict: verdict.kind,
        expected: hide(verdict.expected),
        actual: hide(verdict.actual),
        ...(verdict.exchange && { evidence: toEvidence(verdict.exchange, apiKey, hide) }),
        ms,
      };
    default:
      return { clause, verdict: verdict.kind, reason: hide(verdict.reason), ms };
  }
}

function toEvidence(exchange: Exchange, apiKey: string, hide: (text: string) => string): Evidence {
  return {
    request: hide(printRequest(exchange.request)),
    response: hide(printResponse(exchange)),
    curl: hide(printCurl(exchange.request, apiKey)),
    ms: exchange.ms,
  };
}

/** The shortest key that is hidden wherever it stands; a shorter one is no secret, and is a part of many words. */
const SHORTEST_SECRET = 4;

/** Hides a key, and what the checks make of it: in another case, encoded in base64, or with a letter that is wrong. */
export function hideKey(text: string, apiKey: string): string {
  if (apiKey.length < SHORTEST_SECRET) return text;
  const cut = apiKey.length > SHORTEST_SECRET ? [apiKey.slice(0, -1), apiKey.slice(1)] : [];
  const wrong = createWrongKeys(apiKey, '').map(({ key }) => key);
  const spellings = [
    ...basicCredentials.map((user) => Buffer.from(user(apiKey)).toString('base64')),
    Buffer.from(`Bearer ${apiKey}`).toString('base64'),
    Buffer.from(apiKey).toString('base64'),
    Buffer.from(apiKey).toString('hex'),
    encodeURIComponent(apiKey),
    apiKey,
    ...wrong.filter((key) => key.length >= SHORTEST_SECRET),
    ...cut,
  ];
  return spellings.reduce(
    (hidden, spelling) => hidden.replaceAll(new RegExp(RegExp.escape(spelling), 'gi'), '[key]'),
    text,
  );
}
