import { ApiError, describeValue } from '../../common/api-error.ts';
import type { FaultSource } from './create-faults.ts';
import type { Service } from './create-service.ts';
import { expectName } from './expect-name.ts';

/** Services side by side, each with a name: one for each parallel test. */
export interface Sessions {
  /**
   * Returns the service with this name, or a new one, which is not kept yet.
   * @throws ApiError `invalid_request` for what cannot be a name, and where there are no sessions.
   */
  find(name: string): Service;
  /**
   * Keeps a service that was found, as the one that was used last. At the limit, a new session ends one that was never
   * controlled: of these, the one that was unused for longest.
   * @param isControlled whether the library uses it or the control API changes it.
   * @returns the service that is kept by its name, or itself if it is no session or has ended.
   * @throws ApiError `too_many_requests` at the limit, if all sessions are controlled.
   */
  keep(service: Service, isControlled?: boolean): Service;
  /** Delays a request, as `faults.hold` does. Until the delay ends, `find` returns its service, even if it is not kept. */
  hold(service: Service, ...wait: Parameters<FaultSource['hold']>): () => void;
  /** Returns the services that are kept or delay a request. */
  all(): Iterable<Service>;
  /** Their names; the one that was unused for longest comes first. */
  names(): string[];
  /** Ends one: the next use of its name makes another. @throws ApiError `not_found` */
  end(name: string): void;
  /** Returns whether a service is the mock itself or a session that is kept. */
  isKept(service: Service): boolean;
}

/** Creates the sessions of a mock. @param most 0 is none at all. */
export function createSessions(create: (name: string) => Service, most: number): Sessions {
  // A map keeps the order in which its keys were set.
  const services = new Map<string, Service>();
  // Services that are not kept and delay a request.
  const pending = new Map<string, Service>();
  const names = new WeakMap<Service, string>();
  const ended = new WeakSet<Service>();
  const controlled = new WeakSet<Service>();
  const end = (name: string, service: Service) => {
    services.delete(name);
    pending.delete(name);
    ended.add(service);
    service.control.clearRequests();
    // Requests that its faults delay go on.
    service.faults.clear();
  };
  const makeRoom = () => {
    if (services.size < most) return;
    const unused = services.entries().find(([, service]) => !controlled.has(service));
    if (unused === undefined) throw new ApiError('too_many_requests', describeLimit(most));
    end(...unused);
  };
  const findKnown = (name: string) => services.get(name) ?? pending.get(name);
  return {
    find(name) {
      const known = findKnown(name);
      if (known !== undefined) return known;
      expectName('A session', name);
      if (most === 0) {
        throw new ApiError('invalid_request', 'There are no sessions: --max-sessions 0, or maxSessions: 0.');
      }
      const service = create(name);
      names.set(service, name);
      return service;
    },
    keep(service, isControlled = false) {
      const name = names.get(service);
      if (name === undefined || ended.has(service)) return service;
      const kept = findKnown(name) ?? service;
      if (!services.delete(name)) makeRoom();
      services.set(name, kept);
      pending.delete(name);
      if (isControlled) controlled.add(kept);
      return kept;
    },
    hold(service, ms, act, faultId) {
      const name = names.get(service);
      if (name !== undefined && !services.has(name)) pending.set(name, service);
      const actAndForget = () => {
        act();
        const isLast = name !== undefined && pending.get(name) === service && !service.faults.isHolding;
        if (isLast) pending.delete(name);
      };
      return service.faults.hold(ms, actAndForget, faultId);
    },
    all: () => [...services.values(), ...pending.values()],
    names: () => [...services.keys()],
    end(name) {
      const service = findKnown(name);
      if (service === undefined)
        throw new ApiError('not_found', `No session is called ${describeValue(name)}.`);
      end(name, service);
    },
    isKept(service) {
      const name = names.get(service);
      return name === undefined || services.get(name) === service;
    },
  };
}

function describeLimit(most: number): string {
  const why = `There are ${most} sessions, and tests control all of them`;
  return `${why}. End one with DELETE /__admin/sessions/{name}, or allow more with --max-sessions.`;
}
