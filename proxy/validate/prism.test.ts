import { expect, test } from 'vitest';
import { changeContract } from '../../tools/testing/change-contract.ts';
import { createValidators } from './prism.ts';
import { readOperations } from './read-operations.ts';

test('a value for which a pattern would take hours is an error', async () => {
  const contract = changeContract(({ components }) =>
    Object.assign(components.schemas.NewPet?.properties ?? {}, {
      name: { type: 'string', pattern: '^(a|a)*$' },
    }),
  );
  const operations = await readOperations(contract);
  const [operation] = operations.filter(({ iid }) => iid === 'createPet');
  const { validateRequest } = createValidators(operation as (typeof operations)[number], 0.1);
  const headers = { authorization: 'Bearer the-key', 'content-type': 'application/json' };
  const validate = (name: string) => {
    const value = { name, categoryId: 1 };
    const request = {
      method: 'POST',
      target: '/v1/pets',
      path: '/pets',
      query: '',
      headers,
      body: undefined,
    };
    return validateRequest(request, new URLSearchParams(), { value, isRead: true });
  };
  expect(validate('aaa')).toEqual([]);
  const message = 'It cannot be checked: a pattern of the draft takes more than 0.1 seconds';
  expect(validate(`${'a'.repeat(60)}b`)).toMatchObject([{ rule: 'slow-pattern', message }]);
});
