/** How requests are logged. */
export const logFormats = ['pretty', 'json', 'silent'] as const;

/** How requests are logged: a line for people, a JSON object, or not at all. */
export type LogFormat = (typeof logFormats)[number];
