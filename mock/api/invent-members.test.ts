import { expect, test } from 'vitest';
import type { AnimalMembers } from '../../common/behaviour/further-members.ts';
import { createPageMock } from '../testing/create-page-mock.ts';

const members: AnimalMembers = {
  createdAt: 'string',
  due_date: 'string',
  owner: 'string',
  size: 'number',
  isOld: 'boolean',
  tags: 'array',
  more: 'object',
  none: 'null',
  single: { _links: 'object' },
};

const data = [{ id: 7, name: 'Rex', categoryId: 5 }];
const { ask } = createPageMock({ data, behaviour: { animalMembers: members } });
const headers = { Authorization: 'Bearer test-key' };
const read = async (path: string) => (await ask('GET', path, { headers }))?.json();

const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
const inList = {
  ...{ id: 7, name: 'Rex', categoryId: 5, createdAt: time, due_date: time, owner: 'owner 7' },
  ...{ size: 7, isOld: false, tags: [], more: {}, none: null },
};

test('further members have a sample of their type, the same in each response, and lists lack those of single', async () => {
  const one = (await read('/v1/pets/7')) as Readonly<Record<string, unknown>>;
  expect(one).toEqual({ ...inList, _links: { self: '/v1/pets/7' } });
  expect(await read('/v1/pets/7')).toEqual(one);
  const { _links, ...listed } = one;
  expect(await read('/v1/pets')).toEqual([listed]);
});
