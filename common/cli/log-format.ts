// The types of the packages import this file, and no file that imports valibot: users do not install it.
export const logFormats = ['pretty', 'json', 'silent'] as const;
export type LogFormat = (typeof logFormats)[number];
