import type { LogFormat } from '../common/cli/log-format.ts';
import type { Profile } from '../fixtures/profiles.ts';
import type { Difference } from './choices/choices.ts';
import type { AnimalInput } from './session/animals.ts';

/**
 * Options of a mock. `mockOptions` has a row for each. This file imports no schema, because its types reach users, who do not
 * install valibot.
 */
export interface MockOptions {
  /** Port to listen on; 0 picks a free one. @default 4010 */
  readonly port?: number;
  /** Host name or address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Host names to allow in requests, in addition to IP addresses, localhost and `host`. @default [] */
  readonly allowHosts?: readonly string[];
  /** API keys to accept. @default ['test-key'] */
  readonly apiKeys?: readonly string[];
  /** Seed of the animals, an unsigned 32-bit integer: the same seed gives the same animals. @default 1 */
  readonly seed?: number;
  /** Animals to start with. @default 'default' */
  readonly profile?: Profile;
  /** Number of animals to start with, for the profiles default and large. @default 120 and 100,000 */
  readonly animals?: number;
  /** Animals to start with instead of a profile, or the path of a JSON file of animals. */
  readonly data?: string | readonly AnimalInput[];
  /** Reads the file of `data` again when it changes. A reset then returns to the new animals. @default false */
  readonly watch?: boolean;
  /**
   * Saves the animals of the mock, but not of its sessions, to the file of `data` when they change. The file may be missing.
   * A reset returns to its first animals. @default false
   */
  readonly save?: boolean;
  /**
   * The choices that differ from the default, such as `{ order: 'oldest' }`, the name of a behaviour (default, strict, lenient
   * or slow), or the path of a JSON file or of a HAR file. @default 'default'
   */
  readonly behaviour?: Difference | string;
  /** Fixed time of the mock. @default the real time */
  readonly now?: Date | string;
  /**
   * Refuses requests of the service that name no session, which would otherwise share the animals of the mock itself.
   * @default false
   */
  readonly requireSession?: boolean;
  /** Origins of browser apps that may send cookies, such as `http://localhost:5173`. @default [] */
  readonly corsOrigins?: readonly string[];
  /** Path of a certificate in PEM: the mock and its checked proxy serve HTTPS. @default HTTP */
  readonly tlsCert?: string;
  /** Path of the key of `tlsCert`, in PEM. */
  readonly tlsKey?: string;
  /** Starts a checked proxy in front of the mock. @default false, or true if `checkedPort` is given */
  readonly checkedProxy?: boolean;
  /** Port of the checked proxy; 0 picks a free one. @default `port` + 1, or 0 if `port` is 0 or 65535 */
  readonly checkedPort?: number;
  /** Serves the control API at `/__admin`. @default true */
  readonly admin?: boolean;
  /** Bearer token that the control API requires. Without one, it is off if `host` is not a loopback address. @default none */
  readonly adminToken?: string;
  /** Delay of every response in ms, or a range such as `'50-200'`. @default 0 */
  readonly latency?: number | string;
  /** Number of requests to record, for `requests`, `waitForRequest` and `waitForResponse`; 0 is none. @default 1,000 */
  readonly journal?: number;
  /** Format of the log on stdout. @default 'pretty' */
  readonly log?: LogFormat;
}
