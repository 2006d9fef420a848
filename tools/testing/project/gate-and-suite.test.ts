import { expect, test } from 'vitest';
import { decodeCheckedBody } from '../../../common/http/decode-checked-body.ts';
import { loadContract } from '../../../common/load-contract.ts';
import { joinHeaders } from '../../../contract-tests/client/send-request.ts';
import { combine } from '../../../contract-tests/deployments/changes.ts';
import {
  conformingDeployments,
  tolerated,
} from '../../../contract-tests/deployments/conforming-deployments.ts';
import type { CreateAnswer, Deployment } from '../../../contract-tests/deployments/deployment.ts';
import { verify } from '../../../contract-tests/testing/test-verdicts.ts';
import { choiceNames } from '../../../mock/choices/choices.ts';
import { createCheck } from '../../../proxy/validate/create-check.ts';
import { listValues } from '../list-values.ts';

const check = await createCheck(loadContract());

/** Runs the suite against a deployment. @returns the rules for one exchange that its exchanges break */
async function listBroken(deployment: Deployment): Promise<string[]> {
  const broken = new Set<string>();
  const record: CreateAnswer = () => async (request, asMock) => {
    const reply = await asMock(request);
    const { method, path, headers, body } = request;
    const query = String(request.query);
    const sent = decodeCheckedBody(Buffer.from(body), headers);
    const received = joinHeaders(reply.headers);
    const answered = decodeCheckedBody(Buffer.from(reply.body), received);
    const { checkResponse } = check({ method, target: `/v1${path}?${query}`, path, query, headers, ...sent });
    const { brokenRules } = checkResponse({ status: reply.status, headers: received, ...answered });
    for (const { rule } of brokenRules) broken.add(rule);
    return reply;
  };
  const { createAnswer = [] } = deployment;
  await verify({ ...deployment, createAnswer: combine([createAnswer, record].flat()) });
  return [...broken];
}

const behaviours = choiceNames.flatMap((name) => listValues(name).map((value) => ({ [name]: value })));

/** A mock with each value of each choice, and what the suite tolerates. */
const conforming: readonly Deployment[] = [
  ...[{}, ...behaviours].map((behaviour) => ({
    name: `behaves as ${JSON.stringify(behaviour)}`,
    options: { behaviour },
  })),
  ...conformingDeployments.filter(({ name }) => Object.values(tolerated).flat().includes(name)),
];

test.for(conforming)(
  'the gate accuses no deployment that conforms: one that $name breaks no rule for one exchange',
  async (deployment) => {
    expect(await listBroken(deployment)).toEqual([]);
  },
);
