import type { ServerResponse } from 'node:http';

/** The most requests that hold a place at once. */
export const MOST_OPEN = 256;

/** The most requests that go on without one, having left it to others. */
export const MOST_LASTING = 256;

/** How long a request keeps its place while others wait, in milliseconds. */
export const TURN = 5_000;

/**
 * Creates the places of requests that are under way. One that lasts leaves its place to others that wait, and goes on; where
 * too many last, one of them is broken off for each that waits.
 *
 * @param onTurnOver called when a place may be free that was not.
 */
export function createPlaces(onTurnOver: () => void) {
  /** Those that hold a place, and since when, the longest first. */
  const holders = new Map<ServerResponse, number>();
  /** Those that go on without one, the longest first. */
  const lasting = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  const letLast = (outgoing: ServerResponse) => {
    if (lasting.size < MOST_LASTING && holders.delete(outgoing)) lasting.add(outgoing);
  };
  const wait = (ms: number) => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      onTurnOver();
    }, ms).unref();
  };
  return {
    take: (outgoing: ServerResponse) => void holders.set(outgoing, performance.now()),
    /** Lets a request go on without a place, if it may. */
    letLast,
    leave: (outgoing: ServerResponse) => void (holders.delete(outgoing) || lasting.delete(outgoing)),
    /** Whether there is a place for one that waits, perhaps one that has been held for long enough. */
    isFree: (): boolean => {
      const [[longest, since] = []] = holders;
      if (holders.size < MOST_OPEN || longest === undefined || since === undefined) return true;
      const left = since + TURN - performance.now();
      if (left > 0) {
        wait(left);
        return false;
      }
      if (lasting.size >= MOST_LASTING) breakOff(lasting);
      letLast(longest);
      if (holders.size >= MOST_OPEN) wait(TURN);
      return holders.size < MOST_OPEN;
    },
  };
}

/**
 * Closes the connection of a request whose body or answer is on its way and does not end: the longest of the address that has
 * the most of them. One that the upstream has yet to answer is left alone: its time is limited.
 */
function breakOff(lasting: Set<ServerResponse>): void {
  const endless = [...lasting].filter(({ req, headersSent }) => !req.complete || headersSent);
  const byAddress = [...Map.groupBy(endless, ({ req }) => req.socket.remoteAddress).values()];
  const [[longest] = []] = byAddress.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return;
  lasting.delete(longest);
  longest.req.socket.destroy();
}
