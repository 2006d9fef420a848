import { Pace } from './pace.ts';

const SECOND = 1_000;

/** When the requests of a run are sent: at most at --max-rate, and slower where the deployment refuses some for their number. */
export class Turns {
  /** Number of responses that asked to wait, and how long no request was sent for that reason, in ms. */
  readonly slowed = { refused: 0, ms: 0 };
  /** The least time between requests, in ms. */
  readonly #least: number;
  readonly #pace = new Pace();
  readonly #paces = new Map<string, Pace>();
  #next = 0;

  /** @param maxRate in requests per second */
  constructor(maxRate: number) {
    this.#least = SECOND / maxRate;
  }

  /** How long no request is sent from now on, in ms. */
  get waitsFor(): number {
    return Math.max(0, this.#next - performance.now());
  }

  /** Takes the next turn of an operation. @returns how long to wait for it, in ms */
  take(operation: string): number {
    const now = performance.now();
    const pace = this.#paceOf(operation);
    const turn = Math.max(now, this.#next, pace.next);
    pace.next = turn + pace.gap;
    // A request that waits for its operation keeps no other one waiting.
    const start = pace.gap === 0 ? turn : Math.max(now, this.#next);
    this.#next = start + Math.max(this.#pace.gap, this.#least);
    return turn - now;
  }

  noteResponse(operation: string): void {
    this.#pace.noteResponse();
    this.#paceOf(operation).noteResponse();
  }

  /** Keeps all requests waiting after a refusal, since the others would be refused too. @param ms how long */
  noteRefusal(
    operation: string,
    ms: number,
    { namesTime, isFirst }: { readonly namesTime: boolean; readonly isFirst: boolean },
  ): void {
    const next = Math.max(this.#next, performance.now() + ms);
    this.slowed.refused += 1;
    this.slowed.ms += next - Math.max(this.#next, performance.now());
    this.#next = next;
    // A limit that names a time may be one of the operation. What it refuses twice comes too often.
    if (!namesTime) this.#pace.noteRefusal(next);
    else if (!isFirst) this.#paceOf(operation).noteRefusal(next);
  }

  /** Forgets that requests came too fast: what refuses them always limits no rate. */
  forget(): void {
    this.#pace.gap = 0;
  }

  #paceOf(operation: string): Pace {
    const pace = this.#paces.get(operation) ?? new Pace();
    this.#paces.set(operation, pace);
    return pace;
  }
}
