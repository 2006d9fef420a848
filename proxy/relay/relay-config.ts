import type { ServerTls, Trust } from '../../common/tls/trust.ts';
import type { CheckRequest, Exchange } from '../exchange.ts';

export interface RelayConfig extends Trust {
  /** The base URL. */
  readonly upstream: URL;
  /**
   * True if the upstream is the mock that started this proxy: it has sessions, gets the Host that the client sent, and
   * breaks connections on purpose. @default false
   */
  readonly isBesideMock: boolean;
  /** Time that the upstream may be silent, in milliseconds. @default 30000 */
  readonly timeout: number;
  /** Serves HTTPS with this certificate and key, in PEM. @default HTTP */
  readonly tls?: ServerTls | undefined;
  /** 0 picks a free port. @default 0 */
  readonly port: number;
  /** Host name or address to listen on. @default '127.0.0.1' */
  readonly host: string;
  /** Names to allow as Host, in addition to the names of this machine. @default [] */
  readonly allowHosts?: readonly string[] | undefined;
  /** Forwards requests for any path, not only under the base path. @default false */
  readonly allPaths: boolean;
  /** Refuses an exchange with an error: 400 or 401 for its request, 502 for its response. @default false */
  readonly block: boolean;
  readonly checkRequest: CheckRequest;
  /** Called with each exchange, also if the client left. */
  readonly onExchange: (exchange: Exchange) => void;
}

export interface Relay {
  /** The base URL: the upstream's, at the host and port of the relay. */
  readonly url: string;
  /** Lets open exchanges finish, for five seconds at most. */
  close(): Promise<void>;
}
