import type { ServerTls, Trust } from '../../common/tls/trust.ts';
import type { CheckRequest, Exchange } from '../exchange.ts';

/** Time that a deployment may be silent, in milliseconds. */
export const TIMEOUT = 30_000;

/** Maximum size of the headers of a response, in bytes. Chrome reads as much, and Node would read 16 KiB. */
export const LARGEST_RESPONSE_HEAD = 256 * 1024;

/** Options of the connections of a checked proxy. */
export interface RelayOptions extends Trust {
  /** 0 picks a free port. @default 0 */
  readonly port?: number | undefined;
  /** Host name or address to listen on. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** Names to allow as Host, in addition to the names of this machine. @default [] */
  readonly allowHosts?: readonly string[] | undefined;
  /** Refuses an exchange with an error: 400 or 401 for its request, 502 for its response. @default false */
  readonly block?: boolean | undefined;
}

/** Options that have a default. */
type Filled = 'port' | 'host' | 'block';

/** Complete options of a relay, and what it calls. */
export interface RelayConfig
  extends Omit<RelayOptions, Filled>,
    Readonly<{ [Name in Filled]: NonNullable<RelayOptions[Name]> }> {
  /** The base URL. */
  readonly upstream: URL;
  /**
   * True if the upstream is the mock that started this proxy: it has sessions, gets the Host that the client sent, and
   * answers and breaks connections with faults on purpose, which are no violations.
   */
  readonly isInMock: boolean;
  /** Serves HTTPS with this certificate and key, in PEM. @default HTTP */
  readonly tls?: ServerTls | undefined;
  /** Time that the upstream may be silent, in milliseconds. */
  readonly timeout: number;
  /** Forwards requests for any path, not only under the base path. */
  readonly allPaths: boolean;
  /** Returns the check. The first request waits until it has loaded. */
  readonly readCheck: () => Promise<CheckRequest>;
  /** Called with each exchange, also if the client left. */
  readonly onExchange: (exchange: Exchange) => void;
}

export interface Relay {
  /** The base URL: the upstream's, at the host and port of the relay. */
  readonly url: string;
  /** Lets open exchanges finish, for five seconds at most. */
  close(): Promise<void>;
}
