import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';

/** How much a clause has compared. */
export interface Compared {
  /** Number of responses, lists included. */
  readonly responses: number;
  /** Number of lists among the responses. */
  readonly lists: number;
  /** Number of animals, each once, whatever the number of responses that have it. */
  readonly animals: number;
}

/** Counts what a clause has compared: without a comparison it does not pass. */
export class Comparisons {
  readonly #responses = new Set<Exchange>();
  readonly #animals = new Set<unknown>();

  add(exchange: Exchange, animals: readonly JsonObject[]): void {
    this.#responses.add(exchange);
    for (const { id, name } of animals) this.#animals.add(id ?? name);
  }

  count(): Compared {
    const responses = [...this.#responses];
    return {
      responses: responses.length,
      lists: responses.filter(({ isList }) => isList).length,
      animals: this.#animals.size,
    };
  }
}
