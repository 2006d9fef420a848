import { NotTested } from './run-errors.ts';
import { MOST_ADDED } from './run-limits.ts';

/** Counts the animals that a run adds, so that there are never more than its limit, whatever the deployment accepts. */
export class RoomForAnimals {
  #added = 0;
  /** Number of requests under way, each of which may add an animal. */
  #adding = 0;
  #next = Promise.withResolvers<void>();

  /** Waits until a request may add an animal. @throws NotTested if the run has added all that it may */
  async take(): Promise<void> {
    while (this.#added + this.#adding >= MOST_ADDED && this.#adding > 0) await this.#next.promise;
    if (this.#added >= MOST_ADDED)
      throw new NotTested(`the run has added ${MOST_ADDED} animals, its limit`, 'limit of animals');
    this.#adding += 1;
  }

  /** Notes that requests have added nothing that were counted. */
  giveBack(count: number): void {
    this.#added -= count;
  }

  /** Notes the response to a request. @param hasAdded whether it may have added an animal */
  leave(hasAdded: boolean): void {
    this.#adding -= 1;
    if (hasAdded) this.#added += 1;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
