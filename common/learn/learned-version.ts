/** The version of the form of learned files. A program reads no other one. */
export const LEARNED_VERSION = 1;
