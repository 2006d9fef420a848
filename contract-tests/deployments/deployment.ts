import type { Server } from 'node:http';
import type { MockOptions } from '../../mock/index.ts';
import type { Target } from '../client/target.ts';

/** A request as a deployment gets it. */
export interface DeployedRequest {
  readonly method: string;
  /** Below the base URL, without the query, such as `/pets/1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a deployment answers. */
export interface DeployedReply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

/** Answers a request as the mock would. */
export type AskMock = (request: DeployedRequest) => Promise<DeployedReply>;

/** Answers a request in its own way, or as the mock would; `drop` cuts the connection. */
export type Behaviour = (request: DeployedRequest, asMock: AskMock) => Promise<DeployedReply | 'drop'>;

/** Creates a behaviour, with what it remembers, for one start. */
export type CreateBehaviour = () => Behaviour;

/** A deployment that differs from the mock in one thing. */
export interface Deployment {
  /** What it does, to be read after "a deployment that". */
  readonly name: string;
  /** How the mock behind it is started. */
  readonly options?: MockOptions;
  /** @default that of the mock */
  readonly createBehaviour?: CreateBehaviour;
  /** The path of its base URL. @default '/v1' */
  readonly basePath?: string;
  /** What the suite has to be told about it, such as its key. @default the key test-key */
  readonly target?: Partial<Omit<Target, 'baseUrl'>>;
  /** Whether it is about HTTP itself, and so is asked over it by every test. @default false */
  readonly overHttp?: boolean;
  /** Changes its server before it listens. */
  readonly prepare?: (server: Server) => void;
}

/** Behaviours by the names of their deployments, some with how they are started and options of the suite. */
type Rows = Readonly<Record<string, CreateBehaviour | readonly [CreateBehaviour, Partial<Deployment>]>>;

/** Creates a deployment for each row. */
export function deployments(rows: Rows): Deployment[] {
  return Object.entries(rows).map(([name, row]) => {
    const [createBehaviour, parts = {}] = typeof row === 'function' ? [row] : row;
    return { ...parts, name, createBehaviour };
  });
}
