import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { choiceNames } from './choices/choices.ts';
import { runMock } from './run-mock.ts';

const count = choiceNames.length;
const unknown = { order: ['newest', 'name'], ids: [], longestName: ['any', 1000, 255, 40] };
const learned = {
  version: 1,
  behaviour: { limitAbove100: 'clamp' },
  observed: choiceNames.filter((name) => !Object.hasOwn(unknown, name)),
  unknown,
};

const writeFile = (content: object) =>
  join(createFolder({ 'staging.json': JSON.stringify(content) }), 'staging.json');

async function readGaps(file: string): Promise<string[]> {
  const args = ['--port', '0', '--no-checked-proxy', '--behaviour', file];
  const { stderr } = await callCommand('animal-store-mock', runMock, [...args, '--', 'true']);
  return stderr.split('\n').filter((line) => / unknown and uses? the default: /.test(line));
}

test('a mock with a learned file names the choices that the file does not know', async () => {
  const file = writeFile(learned);
  expect(await readGaps(file)).toEqual([
    `3 of ${count} choices are unknown and use the default: order, longest name, ids`,
  ]);
  const { unknownChoices } = await startTestMock({ behaviour: file });
  expect(unknownChoices).toEqual(['order', 'longestName', 'ids']);
});

test('a choice that somebody has set in the file is no gap', async () => {
  const file = writeFile({ ...learned, behaviour: { longestName: 40, order: 'oldest' } });
  expect(await readGaps(file)).toEqual([`1 of ${count} choices is unknown and uses the default: ids`]);
});

test('a behaviour that was written by hand has no gaps', async () => {
  for (const content of [{ order: 'oldest' }, { behaviour: { order: 'oldest' } }]) {
    const file = writeFile(content);
    expect([await readGaps(file), (await startTestMock({ behaviour: file })).unknownChoices]).toEqual([
      [],
      [],
    ]);
  }
});
