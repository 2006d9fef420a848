import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../common/cli/usage-error.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { runMock } from '../run-mock.ts';
import { loadBehaviour } from './load-behaviour.ts';

const learned = { version: 1, behaviour: { order: 'oldest' }, observed: ['order'], unknown: {} };
const hint =
  'Write it again with animal-store-mock learn <HAR file>, or use the release of animal-store-mock that reads it.';

test.for([
  [2, '2'],
  ['1', '"1"'],
  [null, 'null'],
])('a learned file with the version %j is refused', async ([version, shown]) => {
  const content = JSON.stringify({ ...learned, version });
  const file = join(createFolder({ 'staging.json': content }), 'staging.json');
  await expect(loadBehaviour(file)).rejects.toThrow(
    new UsageError(`behaviour: ${file}: version must be 1, not ${shown}. ${hint}`),
  );
  await expect(loadBehaviour(content)).rejects.toThrow(
    new UsageError(`behaviour: version must be 1, not ${shown}. ${hint}`),
  );
});

test('a learned file with the version 1 and a file that was written by hand are read', async () => {
  const { version, ...byHand } = learned;
  for (const content of [learned, byHand])
    expect((await loadBehaviour(JSON.stringify(content))).difference).toEqual({ order: 'oldest' });
});

test.for([
  [{ observed: [{ order: 1 }] }, 'observed.0 must be the name of a choice, not an object'],
  [{ observed: 'order' }, 'observed must be an array, not "order"'],
] as const)('a learned file with %j is refused, also for a comparison', async ([member, problem]) => {
  const file = { ...learned, evidence: {}, notPredicted: [], requests: [], ...member };
  const folder = createFolder({ 'staging.json': JSON.stringify(file) });
  const path = join(folder, 'staging.json');
  await expect(loadBehaviour(path)).rejects.toThrow(new UsageError(`behaviour: ${path}: ${problem}`));
  const { stderr, exitCode } = await callCommand('animal-store-mock', runMock, ['compare', path, path]);
  expect({ stderr, exitCode }).toEqual({
    stderr: `animal-store-mock: ${path} is no learned behaviour: ${problem}. Write one with: animal-store-mock learn <HAR file>\n`,
    exitCode: 2,
  });
});
