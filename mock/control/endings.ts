/** How a connection may break, in WireMock's words. */
export const drops = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
] as const;

/** How a connection breaks. */
export type Drop = (typeof drops)[number];

/** What an answer may hold that the contract does not allow. */
export const brokenBodies = [
  'PET_WITHOUT_NAME',
  'UNKNOWN_STATUS',
  'HTML',
  'TRUNCATED_JSON',
  'EMPTY_BODY',
] as const;

/** A body that breaks the contract. */
export type BrokenBody = (typeof brokenBodies)[number];
