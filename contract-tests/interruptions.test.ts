import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { Client } from './client/client.ts';
import { createSendRequest, type SendRequest } from './client/send-request.ts';
import { resolveTarget } from './client/target.ts';
import { askDeployment } from './deployments/ask-deployment.ts';
import { createAskMock } from './deployments/create-ask-mock.ts';
import type { Behaviour, DeployedRequest } from './deployments/deployment.ts';
import { createError } from './deployments/replies.ts';
import { hasKey } from './deployments/requests.ts';
import { verifyDeployment } from './index.ts';
import { exitCodes, type Report } from './runner/report.ts';
import { runSuite } from './runner/run.ts';
import { startForTest } from './testing/run-cli.ts';
import { withoutDredd } from './testing/test-verdicts.ts';

const options = { apiKey: 'test-key', allowsWrites: true, runs: 5 };

const idsOf = ({ outcomes }: Report, verdict: string) =>
  outcomes.filter((outcome) => outcome.verdict === verdict).map(({ clause }) => clause.id);

const exitCodeOf = ({ verdict }: Report) => exitCodes[verdict];

/** Runs the suite against a deployment in this process. */
async function verify(behave: Behaviour): Promise<Report> {
  const sendRequest = await askDeployment({ name: '', createBehaviour: () => behave });
  const target = resolveTarget({ ...options, baseUrl: 'http://127.0.0.1:9/v1' });
  return runSuite(target, { only: withoutDredd, sendRequest });
}

test('a key that is refused after request 300 gives no verdict, and no clause fails', async () => {
  let requests = 0;
  const report = await verify(async (request, asMock) => {
    requests += 1;
    return requests > 300 ? createError(401) : asMock(request);
  });
  expect(report.reason).toMatch(/^the key was accepted until request (?:29\d|300) and then refused$/);
  expect(idsOf(report, 'failed')).toEqual([]);
  expect(exitCodeOf(report)).toBe(2);
});

test('a key that is refused right after the start of a run gives no verdict', async () => {
  let requests = 0;
  const baseUrl = await startForTest({
    createBehaviour: () => async (request, asMock) => {
      requests += 1;
      return requests > 1 ? createError(401) : asMock(request);
    },
  });
  const report = await verifyDeployment({ baseUrl, apiKey: 'test-key', allowWrites: false });
  expect(report).toMatchObject({
    verdict: 'no verdict',
    reason: 'the key was accepted until request 1 and then refused',
  });
});

test('a deadline while connections are refused gives no verdict', async () => {
  let requests = 0;
  const sendRequest: SendRequest = async (request) => {
    requests += 1;
    if (requests > 300) return { response: undefined, failure: 'connect ECONNREFUSED 127.0.0.1:9' };
    return mock(request);
  };
  const mock = await askDeployment({ name: '' });
  const target = resolveTarget({ ...options, baseUrl: 'http://127.0.0.1:9/v1', deadline: 3_000 });
  const report = await runSuite(target, { only: withoutDredd, sendRequest });
  expect(report).toMatchObject({
    verdict: 'no verdict',
    reason: 'the deployment refused connections until the run ended',
  });
});

test('a clause that failed before the key was refused is still a finding', async () => {
  let requests = 0;
  const report = await verify(async (request, asMock) => {
    requests += 1;
    if (requests > 300) return createError(401);
    const isKeyless = request.headers.authorization === undefined;
    return isKeyless ? createError(403) : asMock(request);
  });
  expect(idsOf(report, 'failed')).toContain('list-pets/missing-key');
  expect(idsOf(report, 'failed').filter((id) => !id.endsWith('/missing-key'))).toEqual([
    'create-pet/key-before-body',
  ]);
  expect(report.reason).toContain('and then refused');
  expect(exitCodeOf(report)).toBe(1);
});

test('a 401 that is cached for the valid key is a finding, with the request whose 401 was cached', async () => {
  const refused = new Set<string>();
  const report = await verify(async (request, asMock) => {
    const isAvailable = request.query.get('status') === 'available';
    if (isAvailable && !hasKey(request)) refused.add(String(request.query));
    return refused.has(String(request.query)) ? createError(401) : asMock(request);
  });
  expect(report.reason).toBeUndefined();
  const finding = report.outcomes.find(({ clause }) => clause.id === 'list-pets/success');
  expect(finding).toMatchObject({
    verdict: 'failed',
    suspected: 'cached: the same request without the valid key was answered 401 before',
  });
  expect(finding?.evidence?.request).toContain('Authorization: Bearer [key]');
  expect(finding?.before?.at(-1)?.request).toContain('/pets?status=available');
  expect(finding?.before?.at(-1)?.request).not.toContain('[key]');
  expect(exitCodeOf(report)).toBe(1);
});

/** Chooses requests. @param count the number of the request. */
type Chooses = (request: DeployedRequest, count: number) => boolean;

/**
 * Runs the suite against a server that stops at some requests, and only cuts the connection at others. The server starts
 * again when the suite has been refused several connections.
 *
 * @returns the report, the bodies that the server received, and those that it did not answer.
 */
async function verifyStopped(
  stops: Chooses,
  { keepsData = true, refusals = 3, cuts = () => false }: StopOptions = {},
) {
  let server: Server | undefined;
  let [count, refused] = [0, 0];
  let ask = await createAskMock();
  const received: string[] = [];
  const unanswered: string[] = [];
  const behave: Behaviour = async (request) => {
    count += 1;
    received.push(request.body);
    // The request is carried out, but not answered.
    const reply = await ask(request);
    const isLast = stops(request, count);
    if (!isLast && !cuts(request, count)) return reply;
    unanswered.push(request.body);
    if (!isLast) return 'drop';
    refused = 0;
    server?.close();
    server?.closeAllConnections();
    if (!keepsData) ask = await createAskMock();
    return 'drop';
  };
  const baseUrl = await startForTest({
    createBehaviour: () => behave,
    prepare: (made) => {
      server = made;
    },
  });
  const { port } = new URL(baseUrl);
  const target = resolveTarget({ ...options, baseUrl });
  const send = createSendRequest(target);
  const sendRequest: SendRequest = async (...asked) => {
    const sent = await send(...asked);
    if (sent.failure?.includes('ECONNREFUSED')) {
      refused += 1;
      if (refused === refusals) server?.listen(Number(port), '127.0.0.1');
    }
    return sent;
  };
  const report = await runSuite(target, { only: withoutDredd, sendRequest });
  return { ...report, received, unanswered };
}

interface StopOptions {
  /** @default true */
  readonly keepsData?: boolean;
  /** How many connections are refused before the server starts again. @default 3 */
  readonly refusals?: number;
  readonly cuts?: Chooses;
}

test('a deployment that restarts five times during a run and keeps its animals conforms', async () => {
  const at = [20, 150, 300, 450, 600];
  const report = await verifyStopped((_, count) => at.includes(count));
  expect(report.unanswered).toHaveLength(5);
  expect(report.outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(exitCodeOf(report)).toBe(0);
});

test('the clause of an addition that a restart left unanswered starts again with new names', async () => {
  let additions = 0;
  const { outcomes, received, unanswered } = await verifyStopped((request) => {
    const isAddition = hasKey(request) && request.body.includes('contract-test');
    additions += isAddition ? 1 : 0;
    return isAddition && additions === 20;
  });
  expect(outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(unanswered).toHaveLength(1);
  expect(received.filter((body) => body === unanswered[0])).toHaveLength(1);
});

test('requests that were cut shortly before a connection was refused are part of the restart', async () => {
  let [cut, isStopped] = [0, false];
  const isMeant = ({ path }: DeployedRequest) => path === '/pets/1.5' || path === '/pets/0';
  const report = await verifyStopped(
    (request) => {
      if (cut < 2 || isStopped || isMeant(request) || !hasKey(request)) return false;
      isStopped = true;
      return true;
    },
    {
      cuts: (request) => {
        const isCut = isMeant(request) && !isStopped;
        cut += isCut ? 1 : 0;
        return isCut;
      },
    },
  );
  expect([cut, isStopped]).toEqual([report.unanswered.length - 1, true]);
  expect(report.outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test.for([[5], [150], [300], [450], [600]])(
  'a deployment that restarts at request %i without its animals gets no wrong verdict',
  async ([at = 0]) => {
    const report = await verifyStopped((_, count) => count === at, { keepsData: false });
    expect([idsOf(report, 'failed'), idsOf(report, 'error')]).toEqual([[], []]);
    expect([report.reason, exitCodeOf(report)]).toEqual(
      // The first clauses are about keys and add nothing.
      at < 200 ? [undefined, 0] : ['the deployment restarted and lost its data', 2],
    );
  },
);

test('a request that stops the deployment each time is a finding', async () => {
  const isFatal: Chooses = (request) => request.path === '/pets/abc' && hasKey(request);
  const report = await verifyStopped(isFatal, { refusals: 1 });
  expect(idsOf(report, 'failed')).toEqual(['errors/no-server-fault']);
});

test('a deployment that refuses connections for good ends the run with no verdict', async () => {
  let requests = 0;
  const target = resolveTarget({ ...options, baseUrl: 'http://127.0.0.1:9/v1' });
  const sendRequest: SendRequest = async () => {
    requests += 1;
    if (requests > 1) return { response: undefined, failure: 'connect ECONNREFUSED 127.0.0.1:9' };
    return { response: { status: 200, headers: {}, body: Buffer.from('[]') }, failure: undefined };
  };
  const client = new Client(target, { sendRequest, patience: 100 });
  await client.send({ path: '/pets' });
  const reason = 'the deployment has refused connections for 0.1 s';
  await expect(client.send({ path: '/pets' })).rejects.toThrow(reason);
  await expect(client.send({ path: '/pets' })).rejects.toThrow(reason);
});

test('a refused connection to the origin of the quickstart is not waited for', async () => {
  const target = resolveTarget({ ...options, baseUrl: await startForTest() });
  const { response, failure } = await new Client(target).send({
    base: 'http://127.0.0.1:9',
    path: '/messages',
  });
  expect([response, failure]).toEqual([undefined, 'connect ECONNREFUSED 127.0.0.1:9']);
});

test.for<[string, Behaviour]>([
  ['no response', async (request, asMock) => (hasKey(request) ? asMock(request) : 'drop')],
  ['502', async (request, asMock) => (hasKey(request) ? asMock(request) : createError(502))],
])('no clause about keys fails because of %s', async ([, behave]) => {
  const report = await verify(behave);
  expect(idsOf(report, 'failed')).toEqual(['errors/no-server-fault']);
});
