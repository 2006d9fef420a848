import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { addAnimal, findAnimal, findLatest, isDraft } from './animals.js';

test('a new animal is a draft, and can be found', async () => {
  const name = `Zoe ${randomUUID()}`;
  const { id, ...animal } = await addAnimal(name);
  equal(isDraft(animal), true);
  equal((await findLatest()).id, id);
  equal((await findAnimal(id))?.name, name);
});

test('an unknown animal is not found', async () => {
  equal(await findAnimal(123456789), undefined);
});
