import type { IncomingMessage } from 'node:http';
import { createReply } from '../reply.ts';
import type { Events, Watched } from './create-events.ts';
import type { Journal } from './create-journal.ts';
import type { OwnTarget, VerificationOptions, Verifications } from './create-verifications.ts';
import type { Violations } from './create-violations.ts';
import { type AnswerLine, answerWithJson, type OperationInput, writeReply } from './find-answer.ts';
import { readUntil, type Until } from './since.ts';

/** What is asked of whoever is watched. */
export interface WatchDependencies<Service> {
  /** Its requests and violations. */
  readonly control: (service: Service) => Journal & Violations;
  /** What its events tell. */
  readonly watched: (service: Service) => Watched;
  readonly events: Events;
  readonly verifications: Verifications;
  /** What is verified when nothing is said. @param host the header of the request */
  readonly own: (service: Service, host: string | undefined) => OwnTarget;
}

/** A report holds texts of a deployment, and has a script of its own: it may do nothing in the name of this server. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': 'sandbox allow-scripts allow-popups',
};

/** What the control API of every server that is watched answers: its requests, its violations, runs of the suite, and events. */
export function createWatchAnswers<Service>({
  control,
  watched,
  events,
  verifications,
  own,
}: WatchDependencies<Service>): AnswerLine<Service>[] {
  const json = (
    line: string,
    operate: (control: Journal & Violations, input: OperationInput) => unknown,
  ): AnswerLine<Service> => [line, answerWithJson((service, input) => operate(control(service), input))];
  return [
    json('GET /requests', ({ requests }, { query }) => requests(Object.fromEntries(query))),
    json('GET /requests/count', ({ countRequests }, { query }) => ({
      count: countRequests(Object.fromEntries(query)),
    })),
    json('DELETE /requests', ({ clearRequests }, { query }) => clearRequests(toUntil(query))),
    json('GET /violations', ({ violations }, { query }) => violations(Object.fromEntries(query))),
    json('DELETE /violations', ({ clearViolations }, { query }) => clearViolations(toUntil(query))),
    json('GET /verifications', () => verifications.list()),
    [
      'POST /verifications',
      answerWithJson((service, { body }, { headers }) =>
        verifications.start((body ?? {}) as VerificationOptions, own(service, headers.host)),
      ),
    ],
    json('GET /verifications/{id}', (_control, { param }) => verifications.get(toNumber(param))),
    json('DELETE /verifications/{id}', (_control, { param }) => verifications.stop(toNumber(param))),
    [
      'GET /verifications/{id}/report',
      (_service, _request, response, param) =>
        writeReply(response, createReply(200, verifications.report(Number(param)), pageHeaders)),
    ],
    json('POST /verifications/{id}/report', (_control, { param }) => ({
      ticket: verifications.makeTicket(toNumber(param)),
    })),
    ['GET /events', (service, request, response) => events.listen(watched(service), request, response)],
  ];
}

/** A name that is wrong must not clear all. */
function toUntil(query: URLSearchParams): Until {
  const until = readUntil(Object.fromEntries(query));
  return until === undefined ? {} : { until };
}

/** Whether a request opens a report by a ticket: a browser that opens a page sends no token. The ticket is taken. */
export function hasTicket(
  { takeTicket }: Verifications,
  { method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
): boolean {
  const [, id, ticket = ''] =
    /^(?:\/__console)?\/__admin\/verifications\/(\d{1,15})\/report\?ticket=([\w-]+)$/.exec(url) ?? [];
  return method === 'GET' && id !== undefined && takeTicket(Number(id), ticket);
}

/** What is no number stays a text, which is refused. */
export function toNumber(param: string): number {
  return /^\d{1,15}$/.test(param) ? Number(param) : (param as unknown as number);
}
