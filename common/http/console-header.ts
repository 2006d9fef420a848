/** Header with which the console marks its calls, so that a log has only the calls of others. */
export const CONSOLE_HEADER = 'x-animal-store-console';
