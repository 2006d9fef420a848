import { expect, test } from 'vitest';
import { escapeControls } from '../../common/text/harmless-text.ts';
import type { SuiteRequest } from '../client/exchange.ts';
import type { SendRequest } from '../client/send-request.ts';
import { answerWith } from '../deployments/changes.ts';
import { isCreation } from '../deployments/messages.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { createTarget, runWith } from '../testing/run-suite.ts';

const { apiKey, otherKey } = createTarget();

/** What another run has another of: the times in names and categories, and the key that no service has. */
const changing: readonly (readonly [found: RegExp | string, mask: string])[] = [
  [/(?<=contract-test )\d+/gi, '{run}'],
  [/\b7\d{18}\b/g, '{category}'],
  [otherKey, '{other key}'],
  [otherKey.slice(0, -1), '{start of the other key}'],
  [/(.)\1{99,}/g, '$1…'],
];

/** Prints a request in one line, without the valid key as it should be. */
function printRequest({ method, path, headers, body = '', isInTwoParts, encoding }: SuiteRequest): string {
  const { Authorization: key = 'none', ...others } = headers;
  const shown = key === `Bearer ${apiKey}` ? others : { Authorization: key, ...others };
  const parts = [
    ...[method, path],
    ...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
    ...[encoding, isInTwoParts && 'in two parts', body].filter(Boolean),
  ];
  const text = escapeControls(parts.join(' | '));
  return changing.reduce((masked, [found, mask]) => masked.replaceAll(found, mask), text);
}

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
