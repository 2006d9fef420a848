import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/reference/limits.md'), 'utf8');

/** Each limit of docs/reference/limits.md, with the module and the name of its constant. */
const limits = [
  ['sessions', 'mock/session/sessions.ts', 'MOST_SESSIONS'],
  ['recorded body', 'common/journal/journal-entry.ts', 'LONGEST_SHOWN'],
  ['recorded requests of all sessions', 'common/journal/journal-budget.ts', 'LARGEST_JOURNALS'],
  ['body that is checked', 'proxy/bytes/carried-body.ts', 'MAX_CHECKED_BODY'],
  ['elements of an array that are checked', 'proxy/validate/read-body.ts', 'MAX_ELEMENTS'],
  ['string that is checked', 'proxy/validate/read-body.ts', 'MAX_TEXT'],
  ['header `sl-violations`', 'proxy/relay/respond.ts', 'MAX_VIOLATION_HEADER'],
  ['open requests', 'proxy/relay/start-relay.ts', 'MOST_OPEN'],
  ['body that `--learn` keeps', 'proxy/learn/traffic-record.ts', 'LONGEST_BODY'],
  ['exchanges in the console', 'proxy/console-api/proxy-console.ts', 'MOST_WATCHED'],
  ['headers of a message', 'node:http', 'maxHeaderSize'],
  ['values in a JSON body', 'common/json/count-values.ts', 'MOST_VALUES'],
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
