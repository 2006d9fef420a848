import { ApiError, describeValue } from '../api/errors.ts';
import type { Service } from './create-service.ts';
import { expectName } from './expect-name.ts';

/** Services side by side, each with a name: one for each parallel test. */
export interface Sessions {
  /**
   * The service with this name, which is made when there is none. Beyond the most that there may be, the one that was
   * unused for longest goes.
   * @throws ApiError `invalid_request` for what cannot be a name, and where there are no sessions.
   */
  enter(name: string): Service;
  /** Their names; the one that was unused for longest comes first. */
  names(): string[];
  /** Ends one: the next use of its name makes another. @throws ApiError `not_found` */
  end(name: string): void;
  /** Whether a service was a session, and is none any more. */
  hasEnded(service: Service): boolean;
}

/** Creates the sessions of a mock. @param most 0 is none at all. */
export function createSessions(create: (name: string) => Service, most: number): Sessions {
  // A map keeps the order in which its keys were set.
  const services = new Map<string, Service>();
  const ended = new WeakSet<Service>();
  const end = (name: string, service: Service) => {
    services.delete(name);
    ended.add(service);
  };
  return {
    enter(name) {
      const known = services.get(name);
      if (known !== undefined) {
        services.delete(name);
        services.set(name, known);
        return known;
      }
      expectName('A session', name);
      if (most === 0) {
        throw new ApiError('invalid_request', 'There are no sessions: --max-sessions 0, or maxSessions: 0.');
      }
      const [longestUnused] = services;
      if (services.size >= most && longestUnused !== undefined) end(...longestUnused);
      const service = create(name);
      services.set(name, service);
      return service;
    },
    names: () => [...services.keys()],
    end(name) {
      const service = services.get(name);
      if (service === undefined)
        throw new ApiError('not_found', `No session is called ${describeValue(name)}.`);
      end(name, service);
    },
    hasEnded: (service) => ended.has(service),
  };
}
