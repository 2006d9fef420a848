import { expect, test } from 'vitest';
import { printExactJson } from '../../common/exact-json.ts';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../core/target.ts';
import { runSuite } from '../run.ts';
import { faults, kinds } from './broken/error-deployments.ts';
import { inexact } from './broken/kept-pet-deployments.ts';
import { accepted, operations } from './broken/key-deployments.ts';
import { lenient } from './broken/refused-pet-deployments.ts';
import { createAskMock } from './create-ask-mock.ts';
import type { Behaviour, DeployedReply, DeployedRequest } from './deployment.ts';
import { readJson } from './members.ts';
import { hasKey, isCreation } from './requests.ts';
import { startDeployment } from './start-deployment.ts';

/** A request of the suite and what the mock replied, with the clause that was running. */
interface Tried {
  readonly clause: string;
  readonly request: DeployedRequest;
  readonly reply: DeployedReply;
}

const tried = await recordRun();
const askMock = await createAskMock();

async function recordRun(): Promise<readonly Tried[]> {
  const exchanges: Omit<Tried, 'clause'>[] = [];
  const behave: Behaviour = async (request, asMock) => {
    const reply = await asMock(request);
    exchanges.push({ request, reply });
    return reply;
  };
  const { url, close } = await startDeployment({ name: '', breaks: [], createBehaviour: () => behave });
  const byClause: Tried[] = [];
  const onResult = ({ clause }: { readonly clause: { readonly id: string } }) =>
    byClause.push(...exchanges.splice(0).map((exchange) => ({ clause: clause.id, ...exchange })));
  const only = clauses.map(({ id }) => id).filter((id) => !/^(?:replay|quickstart)\//.test(id));
  const target = resolveTarget({ apiKey: 'test-key', runs: 1, baseUrl: url });
  await runSuite(target, { only, onResult }).finally(close);
  return byClause;
}

/** The names of rows for which no request was made. */
async function findUntried<Row>(
  rows: Readonly<Record<string, Row>>,
  isTried: (row: Row, tried: Tried) => boolean | Promise<boolean>,
  among = tried,
): Promise<string[]> {
  const untried: string[] = [];
  for (const [name, row] of Object.entries(rows)) {
    const answers = await Promise.all(among.map((one) => isTried(row, one)));
    if (!answers.includes(true)) untried.push(name);
  }
  return untried;
}

const print = (body: string) => printExactJson(readJson(body) ?? null);
const ofClause = (clause: string) => tried.filter((one) => one.clause === clause);

test('the suite makes each request that may be too much', async () => {
  const isTried = (isMeant: (typeof faults)[string], { request }: Tried) =>
    hasKey(request) && isMeant(request);
  expect(await findUntried(faults, isTried)).toEqual([]);
});

test('the suite provokes each kind of error', async () => {
  const isTried = (isMeant: (typeof kinds)[string], { request, reply }: Tried) =>
    reply.status >= 400 && isMeant(request, reply);
  expect(await findUntried(kinds, isTried)).toEqual([]);
});

test.for(
  Object.entries(operations).flatMap(([id, [, isMeant]]) =>
    Object.entries(accepted).map(([clause, table]) => ({ id: `${id}/${clause}`, isMeant, table })),
  ),
)('$id tries each value of Authorization that may pass', async ({ id, isMeant, table }) => {
  const requests = ofClause(id).filter(({ request, reply }) => reply.status === 401 && isMeant(request));
  const untried = await findUntried(
    table,
    (value, { request }) => value.test(request.headers.authorization ?? ''),
    requests,
  );
  expect(untried).toEqual([]);
});

test.for(Object.entries(lenient))('%s tries each body that may be taken', async ([clause, table]) => {
  const refused = ofClause(clause).filter(
    ({ request, reply }) => isCreation(request) && reply.status === 400,
  );
  const untried = await findUntried(
    table,
    async (toBody, { request }) => (await askMock({ ...request, body: toBody(request.body) })).status === 201,
    refused,
  );
  expect(untried).toEqual([]);
});

test.for(Object.entries(inexact))('%s adds an animal for each way to change it', async ([clause, table]) => {
  const added = ofClause(clause).filter(({ reply }) => reply.status === 201);
  const untried = await findUntried(
    table,
    (toBody, { request: { body } }) => print(toBody(body)) !== print(body),
    added,
  );
  expect(untried).toEqual([]);
});
