import { DELAY_PRECISION } from '../behaviour/choices.ts';
import type { Exchange } from './exchange.ts';
import type { Observation } from './finished-run.ts';

/** In milliseconds, so that a delay is learned as a round number. */
const roundings = [100, 50, 10, 1];

/** How much two clocks may differ, in milliseconds. */
const SLACK = 20;

/** Bounds of the time until responses show a new animal, in milliseconds. */
export class DelayBounds {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #lacking: Exchange | undefined;
  #showing: Exchange | undefined;

  /** Adds a response that shows the animal of an addition. */
  addShowing(added: Exchange, response: Exchange): void {
    const ms = response.end - added.at;
    if (ms >= this.#most) return;
    this.#showing = response;
    this.#most = ms;
  }

  /** Adds a response without the animal, unless it was requested before the addition was answered. */
  addLacking(added: Exchange, response: Exchange): void {
    const ms = response.at - added.end;
    if (ms < 0 || ms <= this.#least) return;
    this.#lacking = response;
    this.#least = ms;
  }

  /** Observes the one value that fits the bounds, or else a round delay near their middle if they are narrow. */
  observe(values: readonly number[]): Observation {
    const isPossible = (value: number) => value > 0 || this.#lacking === undefined;
    const isWithin = (value: number) => value > this.#least - SLACK && value <= this.#most + SLACK;
    const isShown = this.#most < Number.POSITIVE_INFINITY;
    const fitting = isShown ? values.filter((value) => isWithin(value) && isPossible(value)) : [];
    const [only, ...others] = fitting;
    const value = only !== undefined && others.length === 0 ? only : this.#choose();
    if (value === undefined) return { unknown: 'the time is not certain enough' };
    return { value, evidence: [this.#lacking, this.#showing].filter((one) => one !== undefined) };
  }

  #choose(): number | undefined {
    if (this.#most - this.#least > DELAY_PRECISION) return undefined;
    const middle = (this.#least + this.#most) / 2;
    const rounded = roundings.map((rounding) => Math.round(middle / rounding) * rounding);
    return rounded.find((ms) => ms > this.#least && ms < this.#most);
  }
}
