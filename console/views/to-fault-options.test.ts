import { expect, test } from 'vitest';
import type { EffectName } from '../../mock/faults/fault-effects.ts';
import { readFault } from '../../mock/faults/fault-options.ts';
import { toFaultOptions } from './to-fault-options.ts';

test.for<[effect: EffectName, value: string | undefined, expected: object]>([
  ['delay', '200', { delay: '200' }],
  ['delay', '50-200', { delay: '50-200' }],
  ['status', '503', { status: 503 }],
  ['response', '[{"id":1}]', { response: { body: '[{"id":1}]' } }],
  ['drop', undefined, { drop: true }],
])('the form of %s with %j adds a fault that the mock takes', ([effect, value, expected]) => {
  const options = toFaultOptions(effect, { value, operation: '', times: '' });
  expect(options).toEqual(expected);
  expect(() => readFault(options)).not.toThrow();
});

test('a fault may be limited to an operation and a number of requests', () => {
  const options = toFaultOptions('drop', { operation: 'listPets', times: '3' });
  expect(options).toEqual({ drop: true, operation: 'listPets', times: 3 });
});
