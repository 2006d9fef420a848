import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const KIB = 1024;
const MIB = 1024 * KIB;

/** Words that state a limit, by their document, each with its value, the module and the name of its constant. */
const statements: Readonly<Record<string, readonly (readonly [string, number, string, string])[]>> = {
  'docs/reference/shared-options.md': [
    ['keys shorter than 4 characters', 4, 'common/text/redact.ts', 'SHORTEST_KEY'],
  ],
  'docs/reference/animal-store-proxy.md': [
    ['larger than 40 MiB', 40 * MIB, 'common/http/decode-checked-body.ts', 'LARGEST_CHECKED_BODY'],
    ['more than 15,000 values', 15_000, 'common/json/count-values.ts', 'MOST_VALUES'],
    ['at most 100 violations of one rule', 100, 'proxy/validate/list-few.ts', 'MOST_ALIKE'],
  ],
  'docs/reference/unspecified.md': [
    ['more than 15,000 values', 15_000, 'common/json/count-values.ts', 'MOST_VALUES'],
    ['413 for a body over 1 MiB', MIB, 'mock/session/call.ts', 'LARGEST_BODY'],
    ['431 for headers above 16 KiB', 16 * KIB, 'node:http', 'maxHeaderSize'],
  ],
  'docs/reference/library.md': [
    ['gives open requests 5 seconds', 5_000, 'common/http/create-close.ts', 'GRACE'],
  ],
  'docs/reference/control-api.md': [
    ['milliseconds up to 600000', 600_000, 'mock/faults/delay.ts', 'LONGEST_DELAY'],
    ['the mock waits for 100 ms', 100, 'mock/faults/faults.ts', 'ABORT_TIME'],
  ],
  'docs/guides/frontend.md': [['at most 1,000 sessions', 1_000, 'mock/session/sessions.ts', 'MOST_SESSIONS']],
  'mock/session/control-calls.ts': [
    ['the latest 1,000 violations', 1_000, 'mock/journal/violations.ts', 'MOST_VIOLATIONS'],
  ],
  'mock/server/admin/create-document.ts': [
    ['413: above 64 MiB.', 64 * MIB, 'mock/server/admin/create-control-api.ts', 'LARGEST_ADMIN_BODY'],
  ],
};

const rows = Object.entries(statements).flatMap(([document, stated]) =>
  stated.map((one) => [document, ...one] as const),
);

/** Returns the value of a limit. */
async function readLimit(module: string, name: string): Promise<unknown> {
  const file = module.startsWith('node:') ? module : join(root, module);
  return (await import(file))[name];
}

test.for(rows)('%s has the limit in "%s"', async ([document, words, value, module, name]) => {
  expect(read(document).replaceAll(/\s+/g, ' ')).toContain(words);
  expect(await readLimit(module, name)).toBe(value);
});
