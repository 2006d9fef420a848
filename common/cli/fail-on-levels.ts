/** Values of --fail-on. A warning includes errors, and a prefix selects one direction. */
export const failOnLevels = [
  'error',
  'warning',
  'request-error',
  'request-warning',
  'response-error',
  'response-warning',
  'never',
] as const;

/** The side and the least severity of violations that fail a run. */
export type FailOn = (typeof failOnLevels)[number];

/** Explanation of the levels in the help of a command. */
export const failOnNotes = [
  'error    errors (request-error, response-error: in one direction)',
  'warning  errors and warnings (request-warning, response-warning)',
  'never    the exit code does not depend on violations',
];
