import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { clauses } from '../clauses/clauses.ts';
import { NO_ANSWER } from '../client/exchange.ts';
import type { SendRequest } from '../client/send-request.ts';
import { resolveTarget, type Target } from '../client/target.ts';
import { askDeployment } from '../deployments/ask-deployment.ts';
import { createAnimals, createStoreBehaviour } from '../deployments/conforming/store-behaviour.ts';
import type { Behaviour, DeployedRequest } from '../deployments/deployment.ts';
import { createPage } from '../deployments/replies.ts';
import { startForTest } from '../testing/run-cli.ts';
import { withoutDredd } from '../testing/test-verdicts.ts';
import { isFailure, listHeadlines, printReason, type Report, type Result } from './report.ts';
import { runSuite } from './run.ts';

/** Runs the suite against a deployment. @returns a function that lists the results with a verdict; it has the report. */
async function verify(
  behaviour: Behaviour,
  options: Partial<Target> = {},
  only: readonly string[] = withoutDredd,
) {
  const baseUrl = await startForTest({ createBehaviour: () => behaviour });
  const target = resolveTarget({ ...options, baseUrl, apiKey: 'test-key', allowsWrites: true });
  const report = await runSuite(target, { only });
  const of = (...verdicts: Result['verdict'][]) =>
    report.outcomes.filter(({ verdict }) => verdicts.includes(verdict));
  return Object.assign(of, { report });
}

test('a deployment that answers nothing any more is soon left alone, and has failed', async () => {
  let requests = 0;
  const of = await verify(async (request, asMock) => {
    requests += 1;
    return requests > 210 ? 'drop' : asMock(request);
  });
  expect(of('failed').map(({ clause }) => clause.id)).toContain('errors/no-server-fault');
  expect(of('error')).toEqual([]);
  // Eight are sent at once, and a connection that is cut when it is used again is tried once more.
  expect(requests).toBeLessThan(240);
  const reasons = of('not tested', 'not applicable').map(({ reason }) => reason);
  expect(reasons).toContain('the deployment answers no more: socket hang up');
  // The clauses that met the end say so themselves.
  expect(reasons.filter((reason) => !reason?.includes('socket hang up'))).toEqual([]);
});

const all = clauses.map(({ id }) => id).filter((id) => !id.startsWith('quickstart/'));

const hangs = () => new Promise<never>(() => {});

test.for<[string, Behaviour]>([
  ['POST /pets', (request, asMock) => (request.method === 'POST' ? hangs() : asMock(request))],
  ['GET /pets/{petId}', (request, asMock) => (/^\/pets\/./.test(request.path) ? hangs() : asMock(request))],
])(
  'where %s alone is left unanswered, one clause says so and the run goes on',
  async ([operation, behaviour]) => {
    let unanswered = 0;
    const of = await verify(
      async (request, asMock) => {
        unanswered += 1;
        const reply = await behaviour(request, asMock);
        unanswered -= 1;
        return reply;
      },
      { timeout: 1_000 },
      all,
    );
    expect(of('failed').map(({ clause }) => clause.id)).toEqual(['errors/no-server-fault']);
    expect(of('failed')[0]).toMatchObject({
      actual: expect.stringMatching(/^no answer \(no answer within 1000 ms\) for \d+ of \d+ requests$/),
      evidence: { curl: expect.stringContaining('/v1/pets') },
    });
    // As many as may be open at once, and then three alone.
    expect(unanswered).toBeLessThanOrEqual(8 + 3);
    const reasons = of('not tested').map(({ reason }) => reason);
    expect(reasons.join('\n')).toContain(`${operation} has left`);
    expect(of('error')).toEqual([]);
    expect(of('passed').map(({ clause }) => clause.id)).toContain('list-pets/pets');
  },
);

test('where each third request is left unanswered, one clause says so', async () => {
  const mock = await askDeployment({ name: '' });
  let requests = 0;
  const sendRequest: SendRequest = async (request) => {
    requests += 1;
    if (requests % 3 !== 0) return mock(request);
    // All that came at once are open by then.
    await delay(1);
    return { response: undefined, failure: `${NO_ANSWER} 1000 ms` };
  };
  const target = resolveTarget({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key', allowsWrites: true });
  const { outcomes } = await runSuite(target, { only: withoutDredd, sendRequest });
  const of = (verdict: string) => outcomes.filter((result) => result.verdict === verdict);
  expect(of('failed').map(({ clause }) => clause.id)).toEqual(['errors/no-server-fault']);
  expect(of('error')).toEqual([]);
});

test('at the deadline the rest is not tested, and the deployment conforms at most in part', async () => {
  let requests = 0;
  const headers = { 'content-type': 'application/json', 'retry-after': '30' };
  const body = '{"code":"slow-down","message":"x","status":429}';
  const refuseSome: Behaviour = async (request, asMock) => {
    requests += 1;
    return requests % 400 === 0 ? { status: 429, headers, body } : asMock(request);
  };
  const of = await verify(refuseSome, { deadline: 4_000 });
  expect([of('failed'), of('error')]).toEqual([[], []]);
  const late = of('not tested').filter(({ cause }) => cause === 'deadline');
  expect(new Set(late.map(({ reason }) => reason))).toEqual(
    new Set(['the deadline of 4000 ms was reached (--deadline)']),
  );
  expect(of('passed', 'not tested', 'not applicable')).toHaveLength(withoutDredd.length);
  expect(of('passed').length).toBeGreaterThan(0);
  const { verdict, tested, required } = of.report;
  expect(verdict).toBe('conforms in part');
  expect(tested).toBeLessThan(required);
});

test('what is answered with a 5xx alone has not passed', async () => {
  const body = '{"code":"bad-gateway","message":"No upstream.","status":502}';
  const headers = { 'content-type': 'application/json' };
  const of = await verify(async () => ({ status: 502, headers, body }));
  const passed = of('passed').map(({ clause }) => clause.id);
  expect(passed.filter((id) => !id.startsWith('errors/'))).toEqual([]);
});

test('a run tries the clauses that are wanted, and reports them in the order of the specification', async () => {
  const baseUrl = await startForTest();
  const only = ['list-pets/pets', 'get-pet/unknown-is-404', 'create-pet/text-exact', 'list-pets/missing-key'];
  const tried: string[] = [];
  const report = await runSuite(resolveTarget({ baseUrl, apiKey: 'test-key', allowsWrites: true }), {
    only,
    onResult: ({ clause }) => tried.push(clause.id),
  });
  // Keys first, creations before lists, and at the end what looks at the whole journal.
  expect(tried).toEqual([...only.slice(1).toReversed(), 'list-pets/pets']);
  expect(report.outcomes.map(({ clause, verdict }) => `${clause.id} ${verdict}`)).toEqual([
    'list-pets/pets passed',
    'create-pet/text-exact passed',
    'get-pet/unknown-is-404 passed',
    'list-pets/missing-key passed',
  ]);
  expect(report).toMatchObject({
    baseUrl,
    requests: expect.any(Number),
    animalsAdded: expect.any(Number),
  });
});

test('whichever answer comes first, a run tells the same with the same evidence, and no more requests are open than it may', async () => {
  const tell = async (isSlow: (count: number) => boolean) => {
    const [mock, clean] = [await askDeployment({ name: '' }), /contract-test [^"]*/g];
    let [count, open, most] = [0, 0, 0];
    const sendRequest: SendRequest = async (request) => {
      count += 1;
      open += 1;
      most = Math.max(most, open);
      if (isSlow(count)) await delay(2);
      const sent = await mock(request);
      open -= 1;
      const status = sent.response?.status === 401 || sent.response?.status === 400 ? 500 : undefined;
      return { ...sent, response: sent.response && { ...sent.response, ...(status && { status }) } };
    };
    const target = resolveTarget({
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'test-key',
      allowsWrites: true,
      concurrency: 6,
    });
    const { outcomes } = await runSuite(target, { only: withoutDredd, sendRequest });
    const told = outcomes.map(({ ms: _, evidence, more: __, ...result }) => ({
      ...result,
      request: evidence?.request,
    }));
    return { told: JSON.stringify(told, null, 1).replaceAll(clean, ''), most };
  };
  const [one, other] = [await tell((count) => count % 2 === 0), await tell((count) => count % 3 === 0)];
  expect(one.told).toBe(other.told);
  expect(one.told).toContain('"verdict": "failed"');
  expect([one.most, other.most]).toEqual([6, 6]);
});

test('what is refused with 429 now and then is all tried, though requests are sent side by side', async () => {
  let requests = 0;
  const headers = { 'content-type': 'application/json', 'retry-after': '0' };
  const body = '{"code":"slow-down","message":"x","status":429}';
  const of = await verify(async (request, asMock) => {
    requests += 1;
    return requests % 3 === 0 ? { status: 429, headers, body } : asMock(request);
  });
  expect([of('not tested'), of('failed'), of('error')]).toEqual([[], [], []]);
});

test.for<['drop' | 503]>([['drop'], [503]])(
  'a deployment that answers more than three requests at once with %s is asked one at a time, and conforms',
  async ([refusal]) => {
    let open = 0;
    const of = await verify(async (request, asMock) => {
      open += 1;
      try {
        // All that came at once are open by then.
        await delay(1);
        if (open <= 3) return await asMock(request);
        const body = '{"code":"busy","message":"x","status":503}';
        const headers = { 'content-type': 'application/json' };
        return refusal === 'drop' ? refusal : { status: refusal, headers, body };
      } finally {
        open -= 1;
      }
    });
    expect([of('not tested'), of('failed'), of('error')]).toEqual([[], [], []]);
  },
);

test('a deployment that answers every POST with 429 gets no verdict', async () => {
  const headers = { 'content-type': 'application/json', 'retry-after': '3600' };
  const body = '{"code":"slow-down","message":"x","status":429}';
  const of = await verify(async (request, asMock) =>
    request.method === 'POST' ? { status: 429, headers, body } : asMock(request),
  );
  expect([of('failed'), of('error')]).toEqual([[], []]);
  expect(of.report).toMatchObject({ verdict: 'no verdict', reason: expect.stringContaining('answers 429') });
});

/** Runs the suite against a deployment in this process. */
async function runInProcess(behave: Behaviour): Promise<Report> {
  const sendRequest = await askDeployment({ name: '', createBehaviour: () => behave });
  const target = resolveTarget({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key', allowsWrites: true });
  return runSuite(target, { only: withoutDredd, sendRequest });
}

test.for([[true], [false]])(
  'with allowsWrites %s a run tries every kind of path',
  async ([allowsWrites = false]) => {
    const paths: string[] = [];
    const mock = await askDeployment({ name: '' });
    const sendRequest: SendRequest = (request) => {
      paths.push(request.path);
      return mock(request);
    };
    const target = resolveTarget({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key', allowsWrites });
    await runSuite(target, { only: withoutDredd, sendRequest });
    const kinds = [
      ...[/^\/pets\/%00$/, /^\/pets\/%E0%A4$/, /^\/pets\/9{400}$/, /^\/pets\/abc$/, /^\/pets\/1\.5$/],
      ...[/^\/pets\/9223372036854775808$/, /limit=9{40}$/, /limit=1&limit=2$/, /limit=%00$/, /status=%00$/],
      ...[/status=%E0%A4$/, /status=AVAILABLE$/, /contract-test=%3Cscript%3E/],
    ];
    expect(kinds.filter((kind) => !paths.some((path) => kind.test(path)))).toEqual([]);
  },
);

test.for<[string, (request: DeployedRequest) => boolean, number, number]>([
  ['lists', ({ path }) => path === '/pets', 30, 403],
  ['animals', ({ path }) => path !== '/pets', 25, 404],
  ['additions', ({ method }) => method === 'POST', 20, 400],
  ['all requests', () => true, 45, 200],
])('a page that some %s get is one finding, which is intermittent', async ([, isMeant, each, status]) => {
  let count = 0;
  const report = await runInProcess(async (request, asMock) => {
    count += isMeant(request) ? 1 : 0;
    return isMeant(request) && count % each === 0 ? createPage(status) : asMock(request);
  });
  const [headline, ...others] = listHeadlines(report);
  expect(others.map(({ clause }) => clause.id)).toEqual([]);
  expect(headline?.suspected).toMatch(/^intermittent: a page of HTML, .* answered \d+ at other times/);
});

test.for(
  [402, 403, 409, 507].flatMap((status) => [0, 3, 30].map((taken): [number, number] => [status, taken])),
)('a store that answers %i after %i additions conforms in part, and is full', async ([status, taken]) => {
  const report = await runInProcess(
    createStoreBehaviour({
      animals: createAnimals(15),
      refuse: (_, animals) => (animals.length >= 15 + taken ? status : undefined),
      refusesFirst: true,
    }),
  );
  const of = (verdict: Result['verdict']) => report.outcomes.filter((outcome) => outcome.verdict === verdict);
  expect(of('failed').map(printReason)).toEqual([]);
  expect(report.verdict).toBe('conforms in part');
  const causes = of('not tested').map(({ clause, cause }) => `${clause.id}: ${cause}`);
  expect(causes.filter((cause) => !cause.endsWith(': full store'))).toEqual([]);
  expect(causes).toContain('create-pet/name-required: full store');
  expect(of('not applicable').map(({ clause }) => clause.id)).toEqual([]);
});

test('an addition that is refused for its name does not make a store full', async () => {
  const report = await runInProcess(
    createStoreBehaviour({
      refuse: ({ name }, animals) => (animals.some((animal) => animal.name === name) ? 409 : undefined),
    }),
  );
  expect(report.outcomes.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test('a run tries as much again as the run before it', async () => {
  const { url: baseUrl } = await startTestMock();
  for (let run = 0; run < 2; run += 1) {
    const { outcomes } = await runSuite(resolveTarget({ baseUrl, apiKey: 'test-key', allowsWrites: true }), {
      only: withoutDredd,
    });
    const others = outcomes.filter(({ verdict }) => verdict !== 'passed');
    expect(others.map(({ clause, reason }) => [clause.id, reason])).toEqual([]);
  }
});

test('a rate of 5xx is one finding with the rate, other responses to the same request, and each request', async () => {
  let requests = 0;
  const body = '{"code":"bad_gateway","message":"No upstream.","status":502}';
  const headers = { 'content-type': 'application/json' };
  const of = await verify(async (request, asMock) => {
    requests += 1;
    return requests % 97 === 0 ? { status: 502, headers, body } : asMock(request);
  });
  const headlines = listHeadlines(of.report).filter(isFailure);
  expect(headlines.map(({ clause }) => clause.id)).toEqual(['errors/no-server-fault']);
  const [finding] = headlines;
  expect(finding?.actual).toMatch(
    /^502 for \d+ of \d+ requests; the same request got [\d, ]+ at other times$/,
  );
  const [, count] = /for (\d+) of/.exec(finding?.actual ?? '') ?? [];
  expect(1 + (finding?.more?.length ?? 0)).toBe(Number(count));
});

test('a finding shows what the service said with a 4xx, cut and without the key', async () => {
  const message = `Refused for test-key: ${'x'.repeat(200)}`;
  const of = await verify(
    async (request, asMock) => {
      const reply = await asMock(request);
      const body = JSON.stringify({ code: 'gone', message, status: 410 });
      return reply.status === 404 ? { ...reply, status: 410, body } : reply;
    },
    {},
    ['get-pet/unknown-is-404'],
  );
  expect(of('failed')[0]?.actual).toMatch(/^410: "Refused for \[key\]: x{50,100}…"$/);
});
