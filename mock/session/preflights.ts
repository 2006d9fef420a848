import * as v from 'valibot';
import { parseSessionPath } from '../../common/http/session-path.ts';
import { readUntil } from '../../common/journal/filter.ts';
import type { Until } from '../../common/journal/journal-entry.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { origin as anOrigin } from '../../common/schemas.ts';
import { createHideKeys, findSecrets, hideParameters } from '../../common/text/hide-keys.ts';

/** Time for the request to follow its preflight, in milliseconds. */
const LONGEST_GAP = 1_000;

/** Number of preflights that a mock keeps, of all sessions together. */
export const MOST_PREFLIGHTS = 1_000;

/** A CORS preflight, with which a browser asks whether a page may send a request. Keys are redacted. */
export interface Preflight {
  /** Larger than the id of every earlier preflight of the mock. */
  readonly id: number;
  /** Time of arrival. */
  readonly time: Date;
  /** Origin of the page, such as `http://localhost:5173`. */
  readonly origin: string;
  /** Method of the request that the page wants to send. */
  readonly method: string;
  /** Path and query as sent. In a session the path starts after the name of the session. */
  readonly url: string;
  /** True as soon as a request of the same origin, method and URL has arrived. */
  readonly isFollowed: boolean;
  /** Advice if no request has followed within a second, because the browser refuses cookies to this origin; else undefined. */
  readonly hint: string | undefined;
}

/** A preflight as it arrives, or the request after it. */
export interface PreflightedRequest {
  readonly origin: string;
  readonly method: string;
  /** Path and query, with the path of the session. */
  readonly target: string;
}

interface RecordedPreflight extends PreflightedRequest {
  readonly id: number;
  readonly time: Date;
  session: string | undefined;
  isFollowed: boolean;
  hint: string | undefined;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

interface PreflightsConfig {
  /** Origins that may send cookies. */
  readonly corsOrigins: readonly string[];
  /** Returns every key that texts must not show. */
  readonly keys: () => readonly string[];
  /** Is called when a preflight gets its hint. */
  readonly onHint: (request: PreflightedRequest, hint: string) => void;
}

/** The preflights of all sessions, as a session uses them. */
export type KeptPreflights = Pick<Preflights, 'version' | 'list' | 'clear' | 'close'>;

/** The latest preflights of all sessions: a page sends its first one before its session exists. */
export class Preflights {
  /** Changes with every change of a preflight. */
  version = 0;
  readonly #config: PreflightsConfig;
  /** Oldest first. */
  readonly #kept = new Set<RecordedPreflight>();
  #lastId = 0;

  constructor(config: PreflightsConfig) {
    this.#config = config;
  }

  record({ origin, method, target }: PreflightedRequest, time: Date): void {
    this.version += 1;
    this.#lastId += 1;
    const hint = describeRefusal(origin, this.#config.corsOrigins);
    const give = () => this.#giveHint(preflight, hint ?? '');
    const preflight: RecordedPreflight = {
      id: this.#lastId,
      time,
      origin,
      method,
      target,
      session: parseSessionPath(target).session,
      isFollowed: false,
      hint: undefined,
      // It must not keep the process alive.
      timer: hint === undefined ? undefined : setTimeout(give, LONGEST_GAP).unref(),
    };
    this.#kept.add(preflight);
    const [oldest] = this.#kept;
    if (oldest !== undefined && this.#kept.size > MOST_PREFLIGHTS) this.#remove(oldest);
  }

  /**
   * Marks the preflights of a request, also those that have a hint: it may have waited for a free connection.
   * @param session of the request. A preflight does not have the header that names it.
   */
  follow({ origin, method, target }: PreflightedRequest, session: string | undefined): void {
    for (const preflight of this.#kept) {
      const isOfOther =
        preflight.target !== target || preflight.origin !== origin || preflight.method !== method;
      if (isOfOther || preflight.isFollowed) continue;
      this.version += 1;
      clearTimeout(preflight.timer);
      preflight.isFollowed = true;
      preflight.session = session;
      preflight.hint = undefined;
    }
  }

  /** Returns the preflights of a session, oldest first. */
  list(session: string | undefined): Preflight[] {
    const keys = this.#config.keys();
    return [...this.#kept].filter((one) => one.session === session).map((one) => redact(one, keys));
  }

  /** Removes the preflights of a session; with `until`, only preflights up to the one with this id. */
  clear(session: string | undefined, { until: given }: Until = {}): void {
    // Other members are ignored: as a hook of a test, this is called with a context.
    const until = readUntil({ until: given }) ?? this.#lastId;
    for (const one of this.#kept) if (one.session === session && one.id <= until) this.#remove(one);
  }

  close(): void {
    for (const { timer } of this.#kept) clearTimeout(timer);
  }

  #giveHint(preflight: RecordedPreflight, hint: string): void {
    this.version += 1;
    preflight.hint = hint;
    this.#config.onHint(preflight, hint);
  }

  #remove(preflight: RecordedPreflight): void {
    this.version += 1;
    clearTimeout(preflight.timer);
    this.#kept.delete(preflight);
  }
}

/** Returns why a browser may have sent no request after a preflight; undefined if the origin may send cookies. */
function describeRefusal(origin: string, corsOrigins: readonly string[]): string | undefined {
  if (corsOrigins.includes(origin)) return undefined;
  const start = 'no request followed: if the page sends cookies,';
  // Such as `null`, the origin of a file. The option would refuse it.
  if (!v.is(anOrigin, origin)) return `${start} serve it over HTTP, because this origin cannot be allowed`;
  if (corsOrigins.length === 0) return `${start} start with --cors-origin ${origin}`;
  return `${start} its origin must be allowed too, and --cors-origin has only ${corsOrigins.join(', ')}`;
}

function redact(preflight: RecordedPreflight, keys: readonly string[]): Preflight {
  const { id, time, origin, method, target, isFollowed, hint } = preflight;
  const { path } = parseSessionPath(target);
  const hide = createHideKeys([...keys, ...findSecrets([], path)]);
  const url = hideParameters(hide(path));
  return { id, time, origin: hide(origin), method: hide(method), url, isFollowed, hint: hint && hide(hint) };
}
