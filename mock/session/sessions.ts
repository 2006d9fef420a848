import { ApiError, describeValue } from '../../common/http/api-error.ts';
import { expectName, Session, type SessionConfig } from './session.ts';

/** Maximum number of sessions. */
export const MOST_SESSIONS = 1_000;

/** The mock itself, and its sessions: one for each parallel test. */
export class Sessions {
  /** In the order of their last use. A session that is not kept is here while it delays a request. */
  readonly #byName = new Map<string, Session>();
  readonly #config: SessionConfig;
  readonly mock: Session;

  constructor(config: SessionConfig) {
    this.#config = config;
    this.mock = new Session(config);
  }

  /**
   * Returns the session with this name, or a new one, which is not kept yet. @throws ApiError `invalid_request`
   * @param name @default the mock itself
   */
  find(name?: string): Session {
    if (name === undefined) return this.mock;
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    expectName('A session', name);
    return new Session(this.#config, name);
  }

  /**
   * Keeps a session that was found, as the one that was used last. At the limit, a new session ends the one that was unused
   * for longest and never controlled.
   * @param isControlled True if a program uses it or the control API changes it.
   * @returns the session that is kept under its name.
   * @throws ApiError `too_many_requests` at the limit, if all sessions are controlled.
   */
  keep(session: Session, isControlled = false): Session {
    const { name } = session;
    if (name === undefined || session.hasEnded) return session;
    const kept = this.#byName.get(name) ?? session;
    if (!kept.isKept) this.#makeRoom();
    kept.isKept = true;
    kept.isControlled ||= isControlled;
    // A Map keeps the order in which its keys were set.
    this.#byName.delete(name);
    this.#byName.set(name, kept);
    return kept;
  }

  /** Delays a request. Until it goes on, `find` returns its session, even if the session is not kept. */
  hold(session: Session, ms: number, faultId?: number) {
    const { name, faults } = session;
    const { over, stop } = faults.hold(ms, faultId);
    if (name === undefined || session.isKept || session.hasEnded) return { over, stop };
    this.#byName.set(name, session);
    const forget = () => {
      if (!session.isKept && !faults.isHolding && this.#byName.get(name) === session)
        this.#byName.delete(name);
    };
    return { over: over.then(forget), stop };
  }

  /** Releases all requests that wait for something, also in sessions that are not kept. */
  close(): void {
    for (const { faults, journal } of [this.mock, ...this.#byName.values()]) {
      faults.release();
      journal.close();
    }
  }

  /** Returns the names; the session that was unused for longest comes first. */
  names(): string[] {
    return [...this.#byName.values()].flatMap(({ name, isKept }) =>
      isKept && name !== undefined ? [name] : [],
    );
  }

  /** Ends a session: the next use of its name creates another. @throws ApiError `not_found` */
  end(name: string): void {
    const session = this.#byName.get(name);
    if (session === undefined)
      throw new ApiError('not_found', `No session is called ${describeValue(name)}.`);
    this.#byName.delete(name);
    session.hasEnded = true;
    session.isKept = false;
    session.journal.clearRequests();
    // Requests that its faults delay go on.
    session.faults.clear();
  }

  #makeRoom(): void {
    if (this.names().length < MOST_SESSIONS) return;
    const unused = this.#byName.values().find(({ isKept, isControlled }) => isKept && !isControlled);
    if (unused?.name === undefined) {
      const why = `There are ${MOST_SESSIONS} sessions, and tests control all of them`;
      throw new ApiError('too_many_requests', `${why}. End one with DELETE /__admin/sessions/{name}.`);
    }
    this.end(unused.name);
  }
}
