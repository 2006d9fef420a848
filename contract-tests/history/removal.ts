/** The start of the first day on which GET /pets/{petId} may be removed, in the earliest time zone. Source: Versioning */
export const REMOVAL = new Date('2030-12-05T00:00:00+14:00');

/** Returns whether the status of an animal that exists means that GET /pets/{petId} has been removed. */
export function isStatusOfRemoval(status: number): boolean {
  // Gateways answer a removed operation with 403, 405 or 501 too.
  return (status >= 300 && status < 500 && status !== 401 && status !== 429) || status === 501;
}
