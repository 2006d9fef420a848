import { createEvents, type Watched } from '../../common/control/create-events.ts';
import { createJournal } from '../../common/control/create-journal.ts';
import { createVerifications, type StartSuite } from '../../common/control/create-verifications.ts';
import { type ContractViolation, createViolations } from '../../common/control/create-violations.ts';
import type { OperationName } from '../../common/control/find-operation.ts';
import {
  type AnswerRecord,
  keepBody,
  type RequestRecord,
  sizeOfHeaders,
  stateOf,
} from '../../common/control/journal-entry.ts';
import { createWatchAnswers } from '../../common/control/watch-answers.ts';
import { errorStatuses, printError } from '../../common/errors.ts';
import { createHideKeys } from '../../common/hide-keys.ts';
import { isPreflight } from '../../common/is-preflight.ts';
import type { Exchange, ExchangeResponse, Refusal } from '../exchange.ts';
import { type AnswerOwn, createAnswerOwn } from './create-answer-own.ts';

/** How many exchanges are kept. */
export const MOST_WATCHED = 1_000;

/** How many violations are kept: of all exchanges, and of one. */
export const MOST_WATCHED_VIOLATIONS = 10_000;
export const MOST_OF_EXCHANGE = 50;

/** A violation as it is told, without keys. */
export type WatchedViolation = Pick<ContractViolation, 'severity' | 'place' | 'at' | 'rule' | 'message'> & {
  readonly target: string;
};

/** What the console of a proxy shows. */
export interface Watch {
  /** Keeps an exchange, with the violations in it. */
  record(exchange: Exchange, violations: readonly WatchedViolation[]): void;
  /** Answers a request for the console. @returns whether it was one. */
  readonly answer: AnswerOwn;
  /** Ends what has no end of its own. */
  close(): void;
}

/** What is watched, and by whom. */
export interface WatchConfig {
  readonly upstream: URL;
  /** Keys to hide, beside that of each request. */
  readonly apiKeys: readonly string[];
  /** What the console wants as a bearer token. */
  readonly token: string;
  /** Whether the suite trusts any certificate, as the proxy does. */
  readonly insecure: boolean;
  readonly startSuite: StartSuite;
}

/** Watches a proxy: the latest exchanges, their violations, and runs of the suite against the upstream. */
export function createWatch({ upstream, apiKeys, token, insecure, startSuite }: WatchConfig): Watch {
  const journal = createJournal(MOST_WATCHED, () => apiKeys);
  const violations = createViolations(() => true, MOST_WATCHED_VIOLATIONS);
  const verifications = createVerifications(startSuite);
  const events = createEvents();
  const hide = createHideKeys(apiKeys);
  const startedAt = new Date();
  const describeState = () => {
    const basePath = upstream.pathname.replace(/\/+$/, '');
    const state = {
      startedAt,
      upstream: hide(upstream.origin + basePath),
      basePath,
      period: journal.period,
      clearedTo: journal.clearedTo,
      verifications: verifications.list(),
    };
    return [JSON.stringify(state), state] as const;
  };
  const watched: Watched = { journal, violations, describeState, hasEnded: () => false };
  const answers = createWatchAnswers<undefined>({
    ...{ events, verifications, watched: () => watched, control: () => ({ ...journal, ...violations }) },
    own: () => ({ baseUrl: upstream.href, apiKey: apiKeys[0], insecure }),
  });
  return {
    record(exchange, found) {
      if (isPreflight(exchange.request)) return;
      const request = toRecord(exchange);
      journal.record(request, journal.period);
      for (const { target: url, severity, place, at, rule, message } of chooseKept(found)) {
        violations.add({
          ...{ time: new Date(request.time), request: request.id, operation: request.operation },
          // What the upstream answered is judged, not what the client got in its place.
          ...{ method: request.method, url, status: exchange.response?.status ?? request.status },
          ...{ severity, place, at, rule, message },
        });
      }
    },
    answer: createAnswerOwn(answers, token, verifications),
    close() {
      events.close();
      verifications.close();
    },
  };
}

/** An exchange as the journal keeps one. Where the proxy refused an answer, that of the upstream is kept: it shows why. */
function toRecord({
  request,
  response,
  refusal,
  operationId,
  startedAt = Date.now(),
}: Exchange): RequestRecord {
  const { method, target: url, headers, body } = request;
  return {
    ...{ id: 0, time: startedAt, ms: Date.now() - startedAt, method, url },
    operation: operationId as OperationName | undefined,
    // Nothing is made of it before somebody asks.
    get rawHeaders() {
      return Object.entries(headers).flat();
    },
    headersSize: sizeOfHeaders(headers),
    body: body && body.length > 0 ? keepBody(body) : undefined,
    status: refusal ? errorStatuses[refusal.code] : response?.status,
    error: refusal?.code,
    answer: response ? toAnswer(response, method, refusal && response.status) : refusal && toRefused(refusal),
    port: undefined,
  };
}

function toAnswer({ headers, body, status }: ExchangeResponse, method: string, told?: number): AnswerRecord {
  const kept = body && keepBody(body);
  const hasNone = method === 'HEAD' || status === 204 || status === 304;
  const bodyState = kept ? stateOf(kept, headers['content-encoding']) : hasNone ? undefined : 'not kept';
  return { headers, body: kept?.text ?? '', bodyState, upstreamStatus: told };
}

function toRefused({ code, message }: Refusal): AnswerRecord {
  return { headers: { 'content-type': 'application/json' }, body: printError(code, message) };
}

/** The errors come first: of a list whose every element is wrong not all is kept. */
function chooseKept(found: readonly WatchedViolation[]): readonly WatchedViolation[] {
  const isError = ({ severity }: WatchedViolation) => severity === 'error';
  return [...found.filter(isError), ...found.filter((one) => !isError(one))].slice(0, MOST_OF_EXCHANGE);
}
