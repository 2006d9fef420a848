/** The first time between requests after a refusal, in ms. Each further refusal doubles it. */
const FIRST_GAP = 20;

/** The longest time between requests, in ms. */
const LONGEST_GAP = 2_000;

/** A shorter time between requests is none, in ms. */
const LEAST_GAP = 1;

/** After so many responses without a refusal, the time between requests becomes shorter. */
const RESPONSES_TO_SHORTEN = 10;

/** A refusal after fewer responses than this shows that the time between requests was too short. */
const FEW_RESPONSES = 2;

/** How much of a time that was too short is still taken for too short, each time that requests come faster again. */
const REMEMBERED = 0.7;

/** The time between requests, which refusals make longer. */
export class Pace {
  /** In ms. */
  gap = 0;
  /** When the next request may be sent. */
  next = 0;
  /** Until when further refusals have the same reason. */
  #slowUntil = 0;
  /** A time between requests that was too short lately, in ms. */
  #tooShort = 0;
  #responses = 0;

  /** Halves the time between requests after some responses, or goes halfway to what was too short. */
  noteResponse(): void {
    if (this.gap === 0) return;
    this.#responses += 1;
    if (this.#responses < RESPONSES_TO_SHORTEN) return;
    this.#responses = 0;
    const shorter = Math.max(this.gap / 2, (this.gap + this.#tooShort) / 2);
    this.gap = shorter < LEAST_GAP ? 0 : shorter;
    this.#tooShort *= REMEMBERED;
  }

  /** Doubles the time between requests. @param until when the next request is sent: earlier refusals have the same reason */
  noteRefusal(until: number): void {
    if (performance.now() < this.#slowUntil) return;
    if (this.#responses < FEW_RESPONSES) this.#tooShort = this.gap;
    this.#responses = 0;
    this.gap = Math.min(Math.max(FIRST_GAP, 2 * this.gap), LONGEST_GAP);
    this.#slowUntil = until;
  }
}
