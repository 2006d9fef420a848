import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../testing/create-folder.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer } from '../deployments/deployment.ts';
import type { DeployedReply } from '../deployments/messages.ts';
import { createError, createReply } from '../deployments/replies.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { Context, REMOVAL, Run } from '../model/context.ts';
import { createTarget, runInProcess } from '../testing/run-suite.ts';
import { replayClauses } from './replay-clauses.ts';
import { runDredd } from './run-dredd.ts';

const only = replayClauses.map(({ id }) => id);

test('each response that openapi.yaml does not document fails, and what conforms without one does not', async () => {
  const outcomeOf: Record<string, (reply: DeployedReply) => DeployedReply> = {
    'GET 200': ({ body, ...reply }) => ({ ...reply, body: String(body).replaceAll('"categoryId":', '"x":') }),
    'GET 400': () => createReply(418, {}),
    'GET 401': (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }),
    'POST 201': () => createError(422),
    'POST 400': ({ body, ...reply }) => ({ ...reply, body: String(body).replaceAll('"code":', '"x":') }),
    'POST 401': () => createReply(418, {}),
  };
  const { outcomes } = await runInProcess(
    async (request, asMock) => {
      if (request.path !== '/pets') return createError(405);
      const reply = await asMock(request);
      return outcomeOf[`${request.method} ${reply.status}`]?.(reply) ?? reply;
    },
    { now: REMOVAL },
    only,
  );
  const refused = 'POST /pets refused the animal with 422, perhaps for its name or category';
  const removed = 'GET /pets/{petId} has been removed, as announced';
  expect(outcomes.map(({ clause, reason = '', verdict }) => [clause.id, reason || verdict])).toEqual([
    ...[200, 400, 401].map((status) => [`replay/listPets-${status}`, 'failed']),
    ['replay/createPet-201', refused],
    ...[400, 401].map((status) => [`replay/createPet-${status}`, 'failed']),
    ...[200, 401, 404].map((status) => [`replay/getPet-${status}`, removed]),
  ]);
  const notApplicable = outcomes.filter(({ verdict }) => verdict === 'not applicable');
  expect(notApplicable).toEqual(outcomes.filter(({ reason }) => reason));
});

test('large ids, a byte order mark, a 429 now and then and a full store fail nothing', async () => {
  const animals = createAnimals(40, (index) => ({ id: 2n ** 53n + BigInt(index) }));
  const store = createStoreAnswer({ animals, refuse: () => 403 });
  let requests = 0;
  const behave: Answer = async (request, asMock) => {
    requests += 1;
    if (requests % 4 === 0) return createError(429, { 'retry-after': '0' });
    const reply = await store(request, asMock);
    if (reply === 'drop') return reply;
    const type = requests % 2 === 0 ? 'Application/JSON; charset=utf-8' : 'application/json;v=1';
    return { ...reply, body: `\ufeff${reply.body}`, headers: { ...reply.headers, 'content-type': type } };
  };
  const { outcomes } = await runInProcess(behave, {}, only);
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toMatchObject(
    [201, 400].map((status) => ({ clause: { id: `replay/createPet-${status}` }, cause: 'full store' })),
  );
});

test('if the hooks fail, the replay fails, and the process of Dredd has no environment variable', async () => {
  vi.stubEnv('SECRET_OF_THE_JOB', 's3cr');
  onTestFinished(() => void vi.unstubAllEnvs());
  const hooks = 'console.error("it has", process.env.SECRET_OF_THE_JOB); throw new Error("x");';
  const file = join(createFolder({ 'hooks.cjs': hooks }), 'hooks.cjs');
  const run = new Run(createTarget(), { sendRequest: await askDeployment({}) });
  const replay = runDredd(new Context(run), file);
  await expect(replay).rejects.toThrow(/it has undefined.*did not load its hooks/s);
});
