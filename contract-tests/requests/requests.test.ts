import { expect, test } from 'vitest';
import type { SendRequest } from '../client/send-request.ts';
import { answerWith } from '../deployments/changes.ts';
import { isCreation } from '../deployments/messages.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { otherKey, printRequest } from '../testing/print-request.ts';
import { runWith } from '../testing/run-suite.ts';

test('a run requests no animal of a service that has none and adds none', async () => {
  const createAnswer = answerWith(isCreation);
  const send = await askDeployment({ options: { profile: 'empty' }, createAnswer });
  const paths: string[] = [];
  const record: SendRequest = (request) => {
    paths.push(request.path);
    return send(request);
  };
  // It requests no ids before.
  await runWith(record, {}, ['create-pet/unique-id']);
  expect(paths).toContain('/pets?limit=100&status=sold');
  expect(paths.filter((path) => path.includes('undefined'))).toEqual([]);
});

test('a run sends to a service that conforms what was reviewed', async () => {
  const send = await askDeployment({});
  const sent: string[] = [];
  const record: SendRequest = (request) => {
    sent.push(printRequest(request));
    return send(request);
  };
  await runWith(record, { otherKey });
  const lines = [...Map.groupBy(sent, (line) => line)].map(([line, { length }]) => `${length} ${line}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('requests.txt');
});
