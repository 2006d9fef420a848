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
import { choiceNames, type Difference } from '../../../mock/choices/choices.ts';
import { createCheck } from '../../../proxy/validate/create-check.ts';
import { exchangeRules } from '../../../proxy/validate/exchange-rules.ts';
import { listValues } from '../list-values.ts';

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

/** Runs clauses of the suite, by default all, against a deployment. @returns what the gate finds in the exchanges */
async function runGate(deployment: Deployment, only?: string[]): Promise<string[]> {
  const found = new Set<string>();
  const record: CreateAnswer = () => async (request, asMock) => {
    const reply = await asMock(request);
    for (const rule of listRules(request, reply)) found.add(rule);
    return reply;
  };
  const { createAnswer = [] } = deployment;
  await verify({ ...deployment, createAnswer: combine([createAnswer, record].flat()) }, only);
  return [...found].toSorted();
}

/** Prints the verdict of the suite on a deployment, and what the gate finds. */
async function compare(deployment: Deployment): Promise<string> {
  const verdict = expectedOf(deployment);
  const found = await runGate(deployment, verdict.startsWith('conforms') ? undefined : clausesOf(deployment));
  return `${verdict} | ${found.join(', ') || 'passes'} | ${deployment.name}\n`;
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

/** The default behaviour, and each other value of a choice. */
const behaviours: readonly Difference[] = [
  {},
  ...choiceNames.flatMap((name) => listValues(name).map((value) => ({ [name]: value }))),
];

test.for(behaviours)(
  'a deployment with the behaviour %j breaks no rule for one exchange',
  async (behaviour) => {
    const found = await runGate({ name: 'a behaviour', options: { behaviour } });
    const ids: readonly string[] = exchangeRules.map(({ id }) => id);
    expect(found.filter((rule) => ids.includes(rule))).toEqual([]);
  },
);
