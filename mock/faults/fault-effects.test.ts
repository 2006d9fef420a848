import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  describeEffects,
  effectNames,
  type FaultEffects,
  faultEffects,
  switchedEffects,
} from './fault-effects.ts';

// `npm run test:update` writes the rows again.
test('the reference has a row for each effect', async () => {
  const file = join(import.meta.dirname, '../../docs/reference/control-api.md');
  const rows = effectNames.map((name) => {
    const { values, sentence } = faultEffects[name];
    return `| \`${name}\` | ${values} | ${sentence} |\n`;
  });
  const page = readFileSync(file, 'utf8');
  const withRows = page.replace(/(?<=^\| Member \| Value \| Effect \|\n.*\n)(?:^\| `.+\n)+/m, rows.join(''));
  await expect(withRows).toMatchFileSnapshot(file);
});

test('the console has a switch for each effect but the message', () => {
  expect(effectNames.filter((name) => !switchedEffects.includes(name))).toEqual(['message']);
});

test.for<[fault: FaultEffects, described: string]>([
  [{ delay: 200, status: 500 }, '200 ms 500'],
  [{ delay: '50-200', drop: true }, '50-200 ms drop'],
  [{ status: 503, message: 'It is down.' }, '503'],
  [{ hold: true, status: 503 }, 'hold 503'],
  [{ response: { status: 201, body: [] } }, '201 own body'],
  [{ response: { body: null } }, 'own body'],
  [{ response: { status: 404 } }, '404'],
  [{ truncate: true }, 'cut short'],
  [{ after: 'drop' }, 'drop after the operation'],
])('the console describes a fault with %j as %s', ([fault, described]) => {
  expect(describeEffects(fault)).toBe(described);
});
