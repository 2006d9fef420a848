import { expect, test } from 'vitest';
import { decodeCheckedBody } from '../../../common/http/decode-checked-body.ts';
import { loadContract } from '../../../common/load-contract.ts';
import { joinHeaders } from '../../../contract-tests/client/send-request.ts';
import { usualDeployments } from '../../../contract-tests/deployments/broken-deployments.ts';
import { combine } from '../../../contract-tests/deployments/changes.ts';
import {
  conformingDeployments,
  tolerated,
} from '../../../contract-tests/deployments/conforming-deployments.ts';
import type { CreateAnswer, Deployment } from '../../../contract-tests/deployments/deployment.ts';
import type { DeployedReply, DeployedRequest } from '../../../contract-tests/deployments/messages.ts';
import { clausesOf, expectedOf, verify } from '../../../contract-tests/testing/test-verdicts.ts';
import { createCheck } from '../../../proxy/validate/create-check.ts';

// What the gate of the proxy finds in the exchanges of the suite with each deployment. It does not find all that the suite finds: it
// compares no exchanges with each other, and knows neither which keys are valid nor why a service refuses a request. And it checks
// whatever answers, while the suite excuses servers and gateways that refuse a request before the service sees it.

const check = await createCheck(loadContract());

/** Returns the rules that an exchange breaks, those with a warning in brackets. */
function listRules({ method, path, query, headers, body }: DeployedRequest, reply: DeployedReply | 'drop') {
  if (reply === 'drop') return [];
  const sent = decodeCheckedBody(Buffer.from(body), headers);
  const target = `/v1${path}?${query}`;
  const { checkResponse } = check({ method, target, path, query: String(query), headers, ...sent });
  const received = joinHeaders(reply.headers);
  const answered = decodeCheckedBody(Buffer.from(reply.body), received);
  const { violations, brokenRules } = checkResponse({ status: reply.status, headers: received, ...answered });
  return [...violations, ...brokenRules].map(({ severity, rule }) =>
    severity === 'error' ? rule : `(${rule})`,
  );
}

/** Runs the suite against a deployment. @returns the verdict of the suite, and what the gate finds in the exchanges */
async function compare(deployment: Deployment): Promise<string> {
  const found = new Set<string>();
  const record: CreateAnswer = () => async (request, asMock) => {
    const reply = await asMock(request);
    for (const rule of listRules(request, reply)) found.add(rule);
    return reply;
  };
  const { createAnswer = [], name } = deployment;
  const verdict = expectedOf(deployment);
  const only = verdict.startsWith('conforms') ? undefined : clausesOf(deployment);
  await verify({ ...deployment, createAnswer: combine([createAnswer, record].flat()) }, only);
  return `${verdict} | ${[...found].toSorted().join(', ') || 'passes'} | ${name}\n`;
}

const typical = conformingDeployments.filter(({ name }) => Object.values(tolerated).flat().includes(name));

test.for<[which: string, deployments: readonly Deployment[]]>([
  ['broken', usualDeployments],
  ['conforming', typical],
])(
  'the gate finds in the exchanges with %s deployments what it is known to find',
  { timeout: 300_000 },
  async ([which, all]) => {
    const compared: string[] = [];
    for (const deployment of all) compared.push(await compare(deployment));
    const head = 'verdict of the suite | what the gate finds | a deployment that\n';
    await expect(
      `${head}\n${compared.join('')}`,
      'Read the difference, then run this test with --update',
    ).toMatchFileSnapshot(`gate-and-suite/${which}.txt`);
  },
);
