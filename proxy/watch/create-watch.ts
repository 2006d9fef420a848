import { createEvents, type Watched } from '../../common/control/create-events.ts';
import { createJournal } from '../../common/control/create-journal.ts';
import { createVerifications, type StartSuite } from '../../common/control/create-verifications.ts';
import { type ContractViolation, createViolations } from '../../common/control/create-violations.ts';
import type { OperationName } from '../../common/control/find-operation.ts';
import { keepBody, type RequestRecord } from '../../common/control/journal-entry.ts';
import { createWatchAnswers } from '../../common/control/watch-answers.ts';
import { errorStatuses, printError } from '../../common/errors.ts';
import type { Exchange } from '../exchange.ts';
import { type AnswerOwn, createAnswerOwn } from './create-answer-own.ts';

/** How many exchanges are kept. */
export const MOST_WATCHED = 1_000;

/** A violation as it is told, without keys. */
export type WatchedViolation = Pick<ContractViolation, 'severity' | 'place' | 'rule' | 'message'> & {
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
  readonly startSuite: StartSuite;
}

/** Watches a proxy: the latest exchanges, their violations, and runs of the suite against the upstream. */
export function createWatch({ upstream, apiKeys, token, startSuite }: WatchConfig): Watch {
  const journal = createJournal(MOST_WATCHED, () => apiKeys, { ofBodies: 0 });
  const violations = createViolations(() => true);
  const verifications = createVerifications(startSuite);
  const events = createEvents();
  const describeState = () => {
    const basePath = upstream.pathname.replace(/\/+$/, '');
    const state = {
      upstream: upstream.origin + basePath,
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
    own: () => ({ baseUrl: upstream.href, apiKey: apiKeys[0] ?? '' }),
  });
  return {
    record(exchange, found) {
      const request = toRecord(exchange);
      journal.record(request, journal.period);
      for (const { target, severity, place, rule, message } of found) {
        violations.add({
          ...{ time: new Date(request.time), request: request.id, operation: request.operation },
          ...{ method: request.method, url: target, status: request.status, severity, place, rule, message },
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

/** An exchange as the journal keeps one; what the client was answered with is that of the upstream, or a refusal. */
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
    body: body && body.length > 0 ? keepBody(body) : undefined,
    status: refusal ? errorStatuses[refusal.code] : response?.status,
    error: refusal?.code,
    answer: refusal
      ? { headers: { 'content-type': 'application/json' }, body: printError(refusal.code, refusal.message) }
      : response && { headers: response.headers, body: response.body ? keepBody(response.body).text : '' },
    port: undefined,
  };
}
