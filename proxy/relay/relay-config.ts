import type { Exchange, Judge } from '../exchange.ts';
import type { UpstreamConfig } from './upstream.ts';

/** How a relay is started. */
export interface RelayConfig extends UpstreamConfig {
  /** 0 picks a free port. @default 0 */
  readonly port: number;
  /** Host name or address to listen on. @default '127.0.0.1' */
  readonly host: string;
  /** Names that a request's Host may have beside those of this machine; see `createHostCheck`. @default [] */
  readonly allowHosts?: readonly string[] | undefined;
  /** Whether requests for a path that is not beneath the base path go on too. @default false */
  readonly allPaths: boolean;
  readonly judge: Judge;
  /** Whether a response carries its violations in `sl-violations`. @default true */
  readonly violationHeader: boolean;
  /** Whether an exchange with an error is refused: 400 or 401 for its request, 502 for its response. @default false */
  readonly errors: boolean;
  /** Told of each exchange, also of one that the client has given up. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** What a relay is started with unless it is told otherwise. */
export const relayDefaults = {
  port: 0,
  host: '127.0.0.1',
  allPaths: false,
  isBesideMock: false,
  timeout: 30_000,
  insecure: false,
  violationHeader: true,
  errors: false,
} as const;

/** A relay that is listening. */
export interface Relay {
  /** The base URL: that of the upstream, at the relay's host and port. */
  readonly url: string;
  /** Closes the connections of clients on which no request is under way. */
  closeIdle(): void;
  /** Lets open exchanges finish, for five seconds at most. */
  close(): Promise<void>;
}
