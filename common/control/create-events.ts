import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../api-error.ts';
import { type ExactJson, printExactJson } from '../exact-json.ts';
import { clearInterval, setInterval } from '../real-time.ts';
import type { JournalSource } from './create-journal.ts';
import type { ContractViolation, ViolationSource } from './create-violations.ts';

/** How often what is new is looked for, in milliseconds. */
const TICK = 100;

/** How many ticks may pass without a sign of life. */
const QUIET = 150;

/** The most requests and violations that one tick tells; of more the latest are told, and the others counted. */
export const MOST_OF_TICK = 20;

/** The most clients that may listen. */
export const MOST_LISTENERS = 100;

/** What is told of. */
export interface Watched {
  /** Undefined where no requests are kept. */
  readonly journal: JournalSource | undefined;
  readonly violations: ViolationSource;
  /** What holds now, and the text by which a change of it is seen. */
  describeState(): readonly [compared: string, told: object];
  /** Whether there will be nothing more. */
  hasEnded(): boolean;
}

/** What tells clients of what is watched as it happens, as server-sent events. Source: HTML standard, Server-sent events */
export interface Events {
  /**
   * Tells a client: `state` at first and whenever it has changed, `request`, `violation`, and `skipped` with a `count`. With
   * the header Last-Event-ID it begins behind that event; without, with what the journal holds.
   * @throws ApiError `service_unavailable` for one client too many.
   */
  listen(watched: Watched, request: IncomingMessage, response: ServerResponse): void;
  /** Ends them all. */
  close(): void;
}

/** Creates the events. They are read from the journal now and then, so that to record a request costs nothing more. */
export function createEvents(): Events {
  const listeners = new Set<ServerResponse>();
  return {
    listen(watched, request, response) {
      if (listeners.size >= MOST_LISTENERS) {
        throw new ApiError('service_unavailable', `There are ${MOST_LISTENERS} clients for events already.`);
      }
      const takeNews = createTakeNews(watched, String(request.headers['last-event-id'] ?? ''));
      let quiet = 0;
      const tick = () => {
        if (watched.hasEnded()) {
          response.end();
          return;
        }
        // Who reads slowly gets less, not the same later.
        if (response.writableNeedDrain) return;
        const news = takeNews();
        quiet = news === '' ? quiet + 1 : 0;
        if (news !== '') response.write(Buffer.from(news));
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
function createTakeNews({ journal, violations, describeState }: Watched, last: string): () => string {
  const [, request = 0, violation = 0] = (/^(\d{1,15})-(\d{1,15})$/.exec(last) ?? []).map(Number);
  // The mock that told what is not there yet was another one.
  let seenRequest = request > (journal?.lastId ?? 0) ? 0 : request;
  let seenViolation = violation > violations.lastId ? 0 : violation;
  let state = '';
  const print = (event: string, data: unknown) =>
    `id: ${seenRequest}-${seenViolation}\nevent: ${event}\ndata: ${printExactJson(data as ExactJson)}\n\n`;
  const printSkipped = (event: string, all: number) =>
    all > MOST_OF_TICK ? [print('skipped', { event, count: all - MOST_OF_TICK })] : [];
  const takeRequests = (kept: JournalSource): string[] => {
    const count = kept.lastId - Math.max(seenRequest, kept.clearedTo);
    if (count === 0) return [];
    const told = kept.requests({ since: seenRequest, limit: MOST_OF_TICK }).map((one) => {
      seenRequest = one.id;
      return print('request', one);
    });
    return [...told, ...printSkipped('request', count)];
  };
  const takeViolations = (): string[] => {
    const found = violations.violations({ since: seenViolation });
    seenViolation = found.at(-1)?.id ?? seenViolation;
    const told = chooseTold(found).map((one) => print('violation', one));
    return [...told, ...printSkipped('violation', found.length)];
  };
  return () => {
    const events = [
      ...(journal === undefined ? [] : takeRequests(journal)),
      ...(violations.isWatched() ? takeViolations() : []),
    ];
    const [compared, told] = describeState();
    if (compared !== state) events.unshift(print('state', told));
    state = compared;
    return events.join('');
  };
}

/**
 * The latest, but one of each request before a second one of any, and an error before a warning: who reads them learns of each
 * request that it is broken. Each with how many `others` of its request are not told.
 */
function chooseTold(found: readonly ContractViolation[]): readonly object[] {
  const ofRequest = Map.groupBy(found, ({ request, id }) => request ?? `alone ${id}`);
  const worst = new Set([...ofRequest.values()].flatMap((all) => all.find(isError) ?? all.slice(0, 1)));
  const others = found.filter((one) => !worst.has(one));
  const chosen = new Set([...others, ...worst].slice(-MOST_OF_TICK));
  return found
    .filter((one) => chosen.has(one))
    .map((one) => {
      const all = ofRequest.get(one.request ?? `alone ${one.id}`) ?? [];
      return { ...one, others: all.filter((other) => !chosen.has(other)).length };
    });
}

function isError({ severity }: ContractViolation): boolean {
  return severity === 'error';
}
