import { ApiError, describeValue } from '../../common/http/api-error.ts';
import { Session, type SessionConfig } from './session.ts';
import { expectName } from './session-name.ts';

export const MOST_SESSIONS = 1_000;

export class Sessions {
  /** In the order of their last use. */
  readonly #byName = new Map<string, Session>();
  readonly #config: SessionConfig;
  readonly mock: Session;
  /** Largest id of a fault in the sessions that have ended. Their tests may still release it. */
  #lastFaultId = 0;

  constructor(config: SessionConfig) {
    this.#config = config;
    this.mock = new Session(config);
  }

  /** Returns the session with this name, if there is one; undefined names the mock itself. */
  get(name: string | undefined): Session | undefined {
    return name === undefined ? this.mock : this.#byName.get(name);
  }

  /**
   * Returns the session with this name, or a new one. At the limit, a new session ends the one that was unused for longest and
   * never controlled.
   * @param isControlled True if a program uses it or the control API changes it.
   * @throws ApiError `invalid_request` for a wrong name, `too_many_requests` at the limit, if all sessions are controlled.
   */
  find(name: string | undefined, isControlled = false): Session {
    if (name === undefined) return this.mock;
    const session = this.get(name) ?? this.#create(name);
    session.isControlled ||= isControlled;
    // A Map keeps the order in which its keys were set.
    this.#byName.delete(name);
    this.#byName.set(name, session);
    return session;
  }

  /** Returns the session with this name, and never a new one. @throws ApiError `not_found` */
  expect(name: string | undefined): Session {
    const session = this.get(name);
    if (session === undefined)
      throw new ApiError('not_found', `No session is called ${describeValue(name)}.`);
    return session;
  }

  /** Returns the mock itself, and its sessions. */
  list(): readonly Session[] {
    return [this.mock, ...this.#byName.values()];
  }

  close(): void {
    for (const session of this.list()) session.close();
  }

  /** Returns the names; the session that was unused for longest comes first. */
  names(): string[] {
    return [...this.#byName.keys()];
  }

  /** Ends a session: the next use of its name creates another. @throws ApiError `not_found` */
  end(name: string): void {
    const session = this.expect(name);
    this.#byName.delete(name);
    this.#lastFaultId = Math.max(this.#lastFaultId, session.plugins.faults.lastId);
    session.close();
    session.plugins.journal.reset();
    session.plugins.violations.reset();
  }

  #create(name: string): Session {
    expectName('A session', name);
    if (this.#byName.size === MOST_SESSIONS) {
      const [unused] = this.#byName.entries().find(([, session]) => !session.isControlled) ?? [];
      if (unused === undefined) {
        const why = `There are ${MOST_SESSIONS} sessions, and tests control all of them`;
        throw new ApiError('too_many_requests', `${why}. End one with DELETE /__admin/sessions/{name}.`);
      }
      this.end(unused);
    }
    return new Session(this.#config, name, this.#lastFaultId);
  }
}
