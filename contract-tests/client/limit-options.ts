import { inGroup, option } from '../../common/cli/options.ts';
import { integer } from '../../common/schemas.ts';
import { USUAL_RATE } from './run-limits.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MOST_CONNECTIONS = 100;
const LARGEST_RATE = 1_000_000;

/** The rows of limits of time and number. */
export const paceOptions = inGroup('Pace', {
  timeout: option('--timeout <ms>', 'wait this long for a response', {
    schema: integer(1, HOUR),
    default: 10 * SECOND,
  }),
  deadline: option('--deadline <ms>', 'end the run after this time', {
    schema: integer(1, DAY),
    default: 15 * MINUTE,
  }),
  settle: option('--settle <ms>', 'wait this long for new animals', {
    schema: integer(0, MINUTE),
    default: 2 * SECOND,
  }),
  concurrency: option('--concurrency <n>', 'open at most this many requests at once', {
    schema: integer(1, MOST_CONNECTIONS),
    default: 8,
  }),
  maxRate: option('--max-rate <n>', 'send at most this many requests per second', {
    schema: integer(1, LARGEST_RATE),
    defaultInWords: `${USUAL_RATE}, on loopback any`,
  }),
  wait: option('--wait <ms>', 'wait this long until the deployment answers', {
    schema: integer(0, HOUR),
    default: 0,
  }),
});
