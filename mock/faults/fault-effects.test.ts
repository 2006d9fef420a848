import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  describeEffects,
  effectNames,
  type FaultEffects,
  faultEffects,
  switchedEffects,
} from './fault-effects.ts';

test('the guide has a row for each effect', () => {
  const page = readFileSync(new URL('../../docs/guides/tests.md', import.meta.url), 'utf8');
  const [, section = ''] = /^### Choose the failure\n(.*?)^##/ms.exec(page) ?? [];
  const rows = effectNames.map((name) => {
    const { values, sentence } = faultEffects[name];
    return `| \`${name}\` | ${values} | ${sentence} |`;
  });
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});

test('the console has a switch for each effect but the message', () => {
  expect(switchedEffects.map((name) => [name, faultEffects[name].label])).toEqual([
    ['delay', 'Latency'],
    ['hold', 'Hold'],
    ['status', 'Error'],
    ['response', 'Broken body'],
    ['drop', 'Drop'],
    ['truncate', 'Cut short'],
    ['after', 'Lose the response'],
  ]);
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
