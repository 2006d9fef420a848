import type { Exchange } from './exchange.ts';

/** No limit of the rate refuses requests with so much time between them, in ms: it would be one of less than a request per second. */
const SLOW = 1_250;

/** How many pages after so much time show that they limit no rate. Requests of others may use up a limit now and then. */
const ENOUGH = 3;

type Noted = Pick<Exchange, 'at' | 'isTooMany' | 'isPageFor503'>;

/** Finds out whether the pages of a gateway for 503 limit the rate: a limit answers requests that come slowly. */
export class PageLimit {
  #slow = 0;
  #previous: Noted | undefined;

  /** True if they limit none: requests that come slowly get them, too. */
  get isNone(): boolean {
    return this.#slow >= ENOUGH;
  }

  /** Notes each response of the run. Of pages after each other only the first counts: a limit may refuse until its minute is over. */
  note(exchange: Noted): void {
    const previous = this.#previous;
    this.#previous = exchange;
    const isSlow = previous !== undefined && !previous.isTooMany && exchange.at - previous.at >= SLOW;
    if (isSlow && exchange.isPageFor503) this.#slow += 1;
  }
}
