import { expect, test } from 'vitest';
import { answerOtherwise, change, combine } from '../deployments/changes.ts';
import type { CreateAnswer } from '../deployments/deployment.ts';
import { always, type IsMeant } from '../deployments/messages.ts';
import { answered, createPage } from '../deployments/replies.ts';
import { identifyFailure } from '../failures/identify-failure.ts';
import { verify } from '../testing/test-verdicts.ts';
import type { Result } from './report.ts';

const blocked = createPage(403, {}, '<!doctype html><title>Request blocked</title>');

/** Requests that rules against injection of SQL and of scripts refuse. */
const isInjection: IsMeant = ({ path, query, body }) =>
  /'|%27|\bor 1=1|<script|constructor|%00|\0|__proto__|\/\*/i.test(`${path} ${query} ${body}`);

const isLong: IsMeant = ({ path, headers }) =>
  path.length > 200 || (headers.authorization ?? '').length > 5000;

const isText: IsMeant = ({ headers }) => headers['content-type'] === 'text/plain';

const firewalls: readonly (readonly [what: string, answer: CreateAnswer])[] = [
  ['injections', answerOtherwise(isInjection, blocked)],
  ['long requests', answerOtherwise(isLong, blocked)],
  [
    'injections, long requests and other media types',
    combine([
      answerOtherwise(isInjection, blocked),
      answerOtherwise(isLong, blocked),
      answerOtherwise(isText, blocked),
    ]),
  ],
];

const isFinding = ({ verdict, follows, clause }: Result) =>
  verdict === 'failed' && follows === undefined && clause.level === 'required';

test.for(firewalls)(
  'a firewall that refuses %s is one finding, which names the requests',
  async ([name, createAnswer]) => {
    const results = await verify({ name, createAnswer });
    const [finding, ...others] = results.filter(isFinding);
    expect(others).toEqual([]);
    expect(finding?.failures?.map(identifyFailure)).toEqual([
      { kind: 'foreign page', operation: 'any', received: 403 },
    ]);
    expect(finding?.more?.length).toBeGreaterThan(0);
    expect(finding?.more?.filter(({ status }) => status !== 403)).toEqual([]);
  },
);

test('a defect of the service behind a firewall stays a finding', async () => {
  const acceptNumber = change.sent((sent) => (sent.name === 1n ? { ...sent, name: 'Rex' } : sent));
  const createAnswer = combine([acceptNumber, answerOtherwise(isInjection, blocked)]);
  const results = await verify({ name: 'accepts a number as a name', createAnswer });
  const findings = results
    .filter(isFinding)
    .map(({ clause, failures = [] }) => [clause.id, failures[0]?.kind]);
  expect(findings).toEqual([
    ['create-pet/name-required', 'foreign page'],
    ['create-pet/name-type', 'status'],
  ]);
});

test('a service whose own errors are pages is no firewall', async () => {
  const page = change.reply(
    (_, { status }) => status >= 400,
    ({ status }) => createPage(status),
  );
  const createAnswer = combine([page, answerOtherwise(isInjection, blocked)]);
  const results = await verify({ name: 'has pages for errors', createAnswer });
  const kinds = results.flatMap(({ failures = [] }) => failures.map(({ kind }) => kind));
  expect(kinds.length).toBeGreaterThan(0);
  expect(kinds).not.toContain('foreign page');
});

test('a service that answers a wrong key with a page and 403 is no firewall', async () => {
  const createAnswer = change.reply(answered(401, always), () => blocked);
  const [finding] = (await verify({ name: 'has a page for keys', createAnswer })).filter(isFinding);
  expect(finding?.failures).toMatchObject([{ kind: 'status', expected: 401, status: 403 }]);
});
