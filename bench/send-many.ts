import { createMalformedRequest, type MalformedRequest } from './malformed-requests.ts';
import { type Outcome, sendMalformed } from './send-malformed.ts';

/** A run of malformed requests; the servers take turns. */
export interface Run {
  /** The base URLs. */
  readonly servers: readonly string[];
  readonly count: number;
  readonly seed: number;
  /** Told of each outcome. */
  readonly onOutcome: (outcome: RunOutcome) => void;
  /** Asked before each request whether to go on. */
  readonly isOver?: () => boolean;
}

/** What came of one request of a run. */
export interface RunOutcome extends Outcome {
  readonly index: number;
  readonly server: string;
  readonly request: MalformedRequest;
}

/** How many connections there are at once. */
const CONNECTIONS = 32;

/** Sends the requests of a run, a bounded number at once. */
export async function sendMany({ servers, count, seed, onOutcome, isOver }: Run): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count && isOver?.() !== true) {
      const index = next;
      next += 1;
      const server = servers[index % servers.length] ?? '';
      const request = createMalformedRequest(seed, index);
      onOutcome({ index, server, request, ...(await sendMalformed(new URL(server), request)) });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}
