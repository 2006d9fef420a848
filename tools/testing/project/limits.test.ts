import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/reference/limits.md'), 'utf8');

/** Each limit of docs/reference/limits.md, with the module and the name of its constant. */
const limits = [
  ['animals in a list', 'mock/api/validation.ts', 'LARGEST_LIMIT'],
  ['body of a request', 'mock/pipeline/context.ts', 'LARGEST_BODY'],
  ['generated animals', 'mock/options.ts', 'MOST_ANIMALS'],
  ['snapshots of a store', 'mock/session/session.ts', 'MOST_SNAPSHOTS'],
  ['sessions', 'mock/session/sessions.ts', 'MOST_SESSIONS'],
  ['active faults', 'mock/session/faults.ts', 'MOST_FAULTS'],
  ['delay of a request', 'mock/session/delay.ts', 'LONGEST_DELAY'],
  ['body of a request to the control API', 'mock/server/admin/create-control-api.ts', 'LARGEST_ADMIN_BODY'],
  ['wait for a request or its response', 'common/journal/journal.ts', 'LONGEST_WAIT'],
  ['recorded requests', 'common/journal/journal.ts', 'MOST_REQUESTS'],
  ['recorded body', 'common/journal/journal-entry.ts', 'LONGEST_SHOWN'],
  ['recorded requests of all sessions', 'common/journal/journal-budget.ts', 'LARGEST_JOURNALS'],
  ['recorded preflights, of all sessions', 'mock/session/preflights.ts', 'MOST_PREFLIGHTS'],
  ['recorded violations', 'common/journal/violations.ts', 'MOST_VIOLATIONS'],
  [
    'command of `--try-behaviours`, with the default behaviour',
    'mock/try-behaviours/try-behaviours.ts',
    'DEFAULT_RUN_TIMEOUT',
  ],
  ['body that is checked', 'proxy/bytes/carried-body.ts', 'MAX_CHECKED_BODY'],
  ['elements of an array that are checked', 'proxy/validate/read-body.ts', 'MAX_ELEMENTS'],
  ['string that is checked', 'proxy/validate/read-body.ts', 'MAX_TEXT'],
  ['violations of a message', 'proxy/validate/create-violation.ts', 'MAX_VIOLATIONS'],
  ['received value of a violation', 'proxy/validate/describe-received.ts', 'LONGEST_RECEIVED'],
  ['header `sl-violations`', 'proxy/relay/respond.ts', 'MAX_VIOLATION_HEADER'],
  ['open requests', 'proxy/relay/start-relay.ts', 'MOST_OPEN'],
  ['silence of a client, in addition to `--timeout`', 'proxy/relay/start-relay.ts', 'CLIENT_TIMEOUT'],
  ['body that `--learn` keeps', 'proxy/learn/traffic-record.ts', 'LONGEST_BODY'],
  ['time between two writes of the file of `--learn`', 'proxy/learn/learner.ts', 'WRITE_INTERVAL'],
  ['exchanges in the console', 'proxy/console-api/proxy-console.ts', 'MOST_WATCHED'],
  ['violations in the console', 'proxy/console-api/proxy-console.ts', 'MOST_WATCHED_VIOLATIONS'],
  ['body that is read', 'contract-tests/client/send-request.ts', 'LONGEST_BODY'],
  ['string in a body', 'contract-tests/client/read-json.ts', 'LONGEST_STRING'],
  ['headers of a message', 'node:http', 'maxHeaderSize'],
  ['values in a JSON body', 'common/json/count-values.ts', 'MOST_VALUES'],
  ['levels of nested JSON', 'common/json/exact-json.ts', 'MOST_LEVELS'],
  ['shortest key that is redacted', 'common/text/hide-keys.ts', 'SHORTEST_KEY'],
  ['secrets of a request that are redacted', 'common/text/hide-keys.ts', 'MOST_SECRETS'],
  ['parts of a header that are redacted as secrets', 'common/text/hide-keys.ts', 'MOST_PARTS'],
  ['time for open requests at the end', 'common/http/create-close.ts', 'GRACE'],
] as const;

/** The rows of the page: a limit, and its value without the unit. */
const rows = [...page.matchAll(/^\| (?!---|Limit )([^|]+) \| (-?[\d,]+)[^|]* \|/gm)].map(
  ([, limit, value = '']) => [limit, Number(value.replaceAll(',', ''))] as const,
);

test('each limit of docs/reference/limits.md has a constant, and each constant a limit', () => {
  expect(page.match(/^\| (?!---|Limit )/gm)).toHaveLength(rows.length);
  expect(rows.map(([limit]) => limit).toSorted()).toEqual(limits.map(([limit]) => limit).toSorted());
});

test.for(limits)(
  'docs/reference/limits.md has the value of the limit "%s"',
  async ([limit, module, name]) => {
    const file = module.startsWith('node:') ? module : join(root, module);
    const [constant = '', member] = name.split('.');
    const exported = (await import(file))[constant];
    const value = member === undefined ? exported : exported[member];
    expect(new Map(rows).get(limit)).toBe(value);
  },
);
