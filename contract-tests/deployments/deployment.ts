import type { MockOptions } from '../../mock/index.ts';
import type { Target } from '../client/target.ts';
import type { DeployedReply, DeployedRequest } from './messages.ts';

/** Answers a request as the mock would. */
export type AskMock = (request: DeployedRequest) => Promise<DeployedReply>;

/** Answers a request in its own way, or as the mock would; `drop` cuts the connection. */
export type Answer = (request: DeployedRequest, asMock: AskMock) => Promise<DeployedReply | 'drop'>;

/** Creates an answer, with what it remembers, for one start. */
export type CreateAnswer = () => Answer;

/** A deployment that differs from the mock in one thing. */
export interface Deployment {
  /** What it does, to be read after "a deployment that". */
  readonly name: string;
  /** The id of the one clause that is the finding of its verdict. @default verdicts.txt has its verdict */
  readonly breaks?: string;
  /** How the mock behind it is started. */
  readonly options?: MockOptions;
  /** @default that of the mock */
  readonly createAnswer?: CreateAnswer;
  /** The path of its base URL. @default '/v1' */
  readonly basePath?: string;
  /** What the suite has to be told about it, such as its key. @default the key test-key */
  readonly target?: Partial<Omit<Target, 'baseUrl'>>;
  /** Whether it is about HTTP itself, and so is asked over it by every test. @default false */
  readonly overHttp?: boolean;
}

/** Answers by the names of their deployments, some with how they are started and options of the suite. */
export type DeploymentRows = Readonly<
  Record<string, CreateAnswer | readonly [CreateAnswer, Partial<Deployment>]>
>;

/** Creates a deployment for each row. */
export function deployments(rows: DeploymentRows): Deployment[] {
  return Object.entries(rows).map(([name, row]) => {
    const [createAnswer, parts = {}] = typeof row === 'function' ? [row] : row;
    return { ...parts, name, createAnswer };
  });
}

/** Creates deployments that each break one clause, from rows by the id of the clause. */
export function breaking(rowsByClause: Readonly<Record<string, DeploymentRows>>): Deployment[] {
  return Object.entries(rowsByClause).flatMap(([breaks, rows]) =>
    deployments(rows).map((deployment) => ({ ...deployment, breaks })),
  );
}
