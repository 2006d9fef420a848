import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import type { SuiteRequest } from '../client/exchange.ts';
import { joinHeaders, type SendRequest } from '../client/send-request.ts';
import { isFailure, listFindings } from '../runner/report.ts';
import { apiKey, otherKey, printRequest } from '../testing/print-request.ts';
import { runWith } from '../testing/run-suite.ts';
import { changeJson } from './changes.ts';
import type { DeployedReply } from './messages.ts';
import { createError } from './replies.ts';
import { askDeployment } from './run-deployment.ts';
import { alter, set, turnStatus } from './values.ts';

/** Creates a wrong answer to a request from the right one. */
type Way = (
  reply: DeployedReply,
  request: SuiteRequest,
  ask: (request: SuiteRequest) => Promise<DeployedReply>,
) => DeployedReply | Promise<DeployedReply>;

const isById = ({ path }: SuiteRequest) => path.startsWith('/pets/');

function changing(
  toList: (list: readonly JsonObject[]) => ExactJson,
  toAnimal: (animal: JsonObject) => ExactJson,
): Way {
  const change = changeJson((value) =>
    Array.isArray(value) ? toList(value) : toAnimal(value as JsonObject),
  );
  return (reply) => ({ ...reply, ...change(reply, undefined as never) });
}

const ghost = { id: 4_321n, name: 'Ghost', categoryId: 1n, status: 'sold' };

/** Wrong answers in place of a success. */
const ofSuccesses: Readonly<Record<string, Way>> = {
  refused: (_, request) => createError(isById(request) ? 404 : 400),
  'another status': (reply) => ({ ...reply, status: reply.status === 200 ? 202 : 200 }),
  empty: changing(
    () => [],
    () => ({}),
  ),
  'without the first, or another name': changing((list) => list.slice(1), set({ name: 'Ghost' })),
  'without the last, or another categoryId': changing(
    (list) => list.slice(0, -1),
    alter('categoryId', (categoryId) => (categoryId as bigint) + 1n),
  ),
  'one more, or another status of the animal': changing(
    (list) => [...list, { ...ghost, status: list[0]?.status ?? 'sold' }],
    turnStatus,
  ),
};

const otherStatuses: Readonly<Record<number, number>> = { 400: 422, 401: 403, 404: 410 };

/** Wrong answers in place of a refusal. */
const ofRefusals: Readonly<Record<string, Way>> = {
  /** As if the key were right, and where that is refused too, as if everything were. */
  async accepted(_, request, ask) {
    const Authorization = `Bearer ${apiKey}`;
    const reply = await ask({ ...request, headers: { ...request.headers, Authorization } });
    if (reply.status < 300) return reply;
    return ask({
      ...request,
      path: isById(request) ? '/pets/1' : '/pets',
      headers: { Authorization, 'Content-Type': 'application/json' },
      body: request.method === 'POST' ? '{"name":"Rex","categoryId":9,"status":"sold"}' : undefined,
    });
  },
  'another status': ({ status }) => createError(otherStatuses[status] ?? 500),
  'no Error': (reply) => ({ ...reply, body: '{}' }),
};

/** Runs the suite against a service that may give other answers than the mock. */
async function runAnswering(toAnswer: (line: string, ...parts: Parameters<Way>) => ReturnType<Way>) {
  const send = await askDeployment({});
  const ask = async (request: SuiteRequest) => {
    const { response, failure } = await send(request);
    if (response === undefined) throw new Error(failure?.reason);
    return response;
  };
  const answer: SendRequest = async (request) => {
    const reply = await ask(request);
    const { status, headers, body } = await toAnswer(printRequest(request), reply, request, ask);
    const response = { status, headers: joinHeaders(headers), body: Buffer.from(body) };
    return { response, failure: undefined };
  };
  return runWith(answer, { otherKey, settle: 30 });
}

const isSuccess = ({ status }: DeployedReply) => status < 300;

/** Lists the ways to answer a request wrongly, each time, that the suite lets pass. */
async function listPassing(request: string, succeeds: boolean): Promise<readonly string[]> {
  const passing: string[] = [];
  for (const [name, way] of Object.entries(succeeds ? ofSuccesses : ofRefusals)) {
    let isWrong = false;
    const report = await runAnswering(async (line, reply, ...others) => {
      if (line !== request || isSuccess(reply) !== succeeds) return reply;
      const other = await way(reply, ...others);
      // An animal without a status has no other one.
      isWrong ||= other.status !== reply.status || `${other.body}` !== `${reply.body}`;
      return other;
    });
    const findings = listFindings(report);
    if (isWrong && !findings.some(isFailure))
      passing.push(findings.length > 0 ? `${name} (recommended)` : name);
  }
  return passing;
}

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, path), 'utf8')
    .trimEnd()
    .split('\n');

const requests = read('../requests/requests.txt').map((line) => line.replace(/^\d+ /, ''));

/** Which requests get a success. */
const succeeding = new Map<string, boolean>();

beforeAll(async () => {
  await runAnswering((line, reply) => {
    succeeding.set(line, isSuccess(reply));
    return reply;
  });
});

/** The requests with the ways that pass, below the reason: `  way, way: request`. */
const passing = new Map(
  read('wrong-answers.txt').flatMap((line) => {
    const [, ways = '', request] = /^ {2}(.*?): ((?:GET|POST) .*)$/.exec(line) ?? [];
    return request === undefined ? [] : [[request, ways.split('; ')] as const];
  }),
);

test('wrong-answers.txt has only requests of a run', () => {
  expect([...passing.keys()].filter((request) => !requests.includes(request))).toEqual([]);
});

// Each time it gets this answer: what the suite lets pass has a reason in wrong-answers.txt.
test.for(requests)('a wrong answer to %s is seen', { timeout: 300_000 }, async (request) => {
  expect(await listPassing(request, succeeding.get(request) ?? false)).toEqual(passing.get(request) ?? []);
});
