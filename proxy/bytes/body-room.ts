import type { ServerResponse } from 'node:http';

/** Size up to which a body needs no room, in bytes: so large are all bodies of most services. */
const SMALL_BODY = 1024 * 1024;

/** Maximum number of bytes of larger bodies that are kept at once: of all open exchanges, as they were sent and decoded. */
export const MOST_KEPT = 256 * 1024 * 1024;

/** Returns whether more bytes may be kept for an exchange. */
export type TakeRoom = (bytes: number) => boolean;

/**
 * Creates the room for the larger bodies of all open exchanges. Its function opens the part of one exchange, which is free again when
 * the response is closed: a slow client keeps both bodies until then.
 */
export function createBodyRoom(): (response: ServerResponse) => TakeRoom {
  let free = MOST_KEPT;
  return (response) => {
    let taken = 0;
    let isClosed = false;
    response.once('close', () => {
      isClosed = true;
      free += taken;
    });
    return (bytes) => {
      if (isClosed || bytes > free) return false;
      free -= bytes;
      taken += bytes;
      return true;
    };
  };
}

/** Creates a function that returns whether a body may grow to a size. */
export function createGrow(takeRoom: TakeRoom): (size: number) => boolean {
  let largest = SMALL_BODY;
  return (size) => {
    if (size > largest && !takeRoom(size - largest)) return false;
    largest = Math.max(largest, size);
    return true;
  };
}
