import type { Request, Response } from 'express';
import { type ExactJson, printExactJson } from '../../common/exact-json.ts';
import { ApiError } from '../api/errors.ts';
import type { Service } from '../control/create-service.ts';
import type { Verifications } from '../control/create-verifications.ts';
import type { Common } from './admin-routes.ts';

/** How often what is new is looked for, in milliseconds. */
const TICK = 100;

/** How many ticks may pass without a sign of life. */
const QUIET = 150;

/** The most requests and violations that one tick tells; of more the latest are told, and the others counted. */
export const MOST_OF_TICK = 20;

/** The most clients that may listen. */
export const MOST_LISTENERS = 100;

/** What tells clients of a service as it happens, as server-sent events. Source: HTML standard, Server-sent events */
export interface Events {
  /**
   * Tells a client: `state` at first and whenever it has changed, `request`, `violation`, and `skipped` with a `count`. With
   * the header Last-Event-ID it begins behind that event; without, with what the journal holds.
   * @throws ApiError `service_unavailable` for one client too many.
   */
  listen(service: Service, request: Request, response: Response): void;
  /** Ends them all. */
  close(): void;
}

/**
 * Creates the events. They are read from the journal now and then, so that no request takes longer because somebody
 * listens.
 */
export function createEvents({ sessions, verifications }: Common): Events {
  const listeners = new Set<Response>();
  return {
    listen(service, request, response) {
      if (listeners.size >= MOST_LISTENERS) {
        throw new ApiError('service_unavailable', `There are ${MOST_LISTENERS} clients for events already.`);
      }
      const takeNews = createTakeNews(service, verifications, String(request.headers['last-event-id'] ?? ''));
      let quiet = 0;
      const tick = () => {
        if (sessions.hasEnded(service)) {
          response.end();
          return;
        }
        // Who reads slowly gets less, not the same later.
        if (response.writableNeedDrain) return;
        const news = takeNews();
        quiet = news === '' ? quiet + 1 : 0;
        if (news !== '') response.write(news);
        else if (quiet % QUIET === 0) response.write(':\n\n');
      };
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      listeners.add(response);
      const timer = setInterval(tick, TICK).unref();
      response.on('close', () => {
        clearInterval(timer);
        listeners.delete(response);
      });
      tick();
    },
    close() {
      for (const response of listeners) response.end();
    },
  };
}

/** Creates what prints the events since it was called last. @param last the id of an event, or none */
function createTakeNews(service: Service, verifications: Verifications, last: string): () => string {
  const { control, journal, violations } = service;
  const [, request = 0, violation = 0] = (/^(\d{1,15})-(\d{1,15})$/.exec(last) ?? []).map(Number);
  // The mock that told what is not there yet was another one.
  let seenRequest = request > (journal?.lastId ?? 0) ? 0 : request;
  let seenViolation = violation > violations.lastId ? 0 : violation;
  let state = '';
  const print = (event: string, data: unknown) =>
    `id: ${seenRequest}-${seenViolation}\nevent: ${event}\ndata: ${printExactJson(data as ExactJson)}\n\n`;
  const printSkipped = (event: string, all: number) =>
    all > MOST_OF_TICK ? [print('skipped', { event, count: all - MOST_OF_TICK })] : [];
  const takeRequests = (): string[] => {
    const since = { since: seenRequest };
    const count = control.countRequests(since);
    if (count === 0) return [];
    const told = control.requests({ ...since, limit: MOST_OF_TICK }).map((one) => {
      seenRequest = one.id;
      return print('request', one);
    });
    return [...told, ...printSkipped('request', count)];
  };
  const takeViolations = (): string[] => {
    const found = control.violations({ since: seenViolation });
    const told = found.slice(-MOST_OF_TICK).map((one) => {
      seenViolation = one.id;
      return print('violation', one);
    });
    return [...told, ...printSkipped('violation', found.length)];
  };
  return () => {
    const events = [
      ...(journal === undefined ? [] : takeRequests()),
      ...(violations.isWatched() ? takeViolations() : []),
    ];
    const [compared, told] = describeState(service, verifications);
    if (compared !== state) events.unshift(print('state', told));
    state = compared;
    return events.join('');
  };
}

/** What holds now, and the text by which a change is seen: a running clock is none. */
function describeState(
  { control, operations, journal, settings: source }: Service,
  verifications: Verifications,
): [compared: string, told: object] {
  const { now, ...settings } = control.settings();
  const { size, version } = operations.store;
  const state = {
    animals: size,
    version,
    faults: control.faults.list(),
    verifications: verifications.list(),
    clockOffset: source.clockOffset,
    period: journal?.period ?? 0,
    clearedTo: journal?.clearedTo ?? 0,
    settings,
  };
  const isStill = settings.clock === 'still';
  return [JSON.stringify([state, isStill ? now : null]), { ...state, settings: { now, ...settings } }];
}
