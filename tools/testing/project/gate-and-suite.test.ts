import { gzipSync, zstdCompressSync } from 'node:zlib';
import { test } from 'vitest';
import { decodeCheckedBody } from '../../../common/http/decode-checked-body.ts';
import type { ExactJson, JsonObject } from '../../../common/json/exact-json.ts';
import { loadContract } from '../../../common/load-contract.ts';
import { joinHeaders } from '../../../contract-tests/client/send-request.ts';
import {
  answerSome,
  answerWith,
  type ChangeReply,
  change,
  changeAnimal,
  changeJson,
  combine,
} from '../../../contract-tests/deployments/changes.ts';
import {
  createAnimals,
  createStoreAnswer,
} from '../../../contract-tests/deployments/conforming/store-behaviour.ts';
import type { CreateAnswer, Deployment } from '../../../contract-tests/deployments/deployment.ts';
import {
  always,
  type DeployedReply,
  type DeployedRequest,
  hasHeader,
  type IsAnswered,
  isAt,
  isCreation,
  isFetch,
  isList,
  isListOf,
  isMalformed,
} from '../../../contract-tests/deployments/messages.ts';
import {
  answered,
  createEmpty,
  createError,
  createPage,
  createReply,
  sendAs,
} from '../../../contract-tests/deployments/replies.ts';
import { alter, asDouble, drop, set } from '../../../contract-tests/deployments/values.ts';
import { isFailure, listFindings } from '../../../contract-tests/runner/report.ts';
import { verify } from '../../../contract-tests/testing/test-verdicts.ts';
import { createCheck } from '../../../proxy/validate/create-check.ts';

interface How extends Partial<Deployment> {
  /** Whether the suite sees the difference only if it runs all clauses. */
  readonly isWhole?: boolean;
}

/** What a service does in its own way, the findings of the suite, and the rules that the gate finds broken in the same responses. */
type Row = readonly [answer: CreateAnswer, suite: string, gate: string, how?: How];
type Rows = Readonly<Record<string, Row>>;

const PASSES = 'passes';

/** By default nothing is added, which takes a quarter of the time. */
const adding = { target: { allowsWrites: true } };
/** In this process, nothing decodes a content coding. */
const overHttp = { overHttp: true };

const isFirstList: IsAnswered = (request, { status }) =>
  status === 200 && isListOf((limit, filter) => limit === '100' && filter === null)(request);

const lists = (toReply: ChangeReply) => change.reply(answered(200, isList), toReply);
const added = (toReply: ChangeReply) => change.reply(answered(201, isCreation), toReply);
const byId = (toReply: ChangeReply) => change.reply(answered(200, isFetch), toReply);
const unknown = (toReply: ChangeReply) => change.reply(answered(404, isFetch), toReply);
const refused = (toReply: ChangeReply) => change.reply(answered(401), toReply);
const badQuery = (toReply: ChangeReply) => change.reply(answered(400, isList), toReply);

const all = (toReply: ChangeReply) => change.reply(always, toReply);
const errors = (toError: (error: JsonObject) => JsonObject) => change.error(changeJson(toError));
const toList = (change: (list: readonly ExactJson[]) => ExactJson) => lists(changeJson(change));

/** Changes the first animal of each list. */
const first = (toAnimal: (animal: JsonObject) => JsonObject) =>
  toList((list) => list.map((one, index) => (index === 0 ? toAnimal(one as JsonObject) : one)));

/** Changes the text of a body. */
const write =
  (toText: (body: string) => string | Buffer): ChangeReply =>
  ({ body }) => ({ body: toText(String(body)) });

/** Says that a body is in a content coding. */
const inCoding =
  (coding: string, encode = (body: Buffer) => body): ChangeReply =>
  ({ headers, body }) => ({
    headers: { ...headers, 'content-encoding': coding },
    body: encode(Buffer.from(body)),
  });

const withoutType: ChangeReply = () => ({ headers: {} });
const again = { 'retry-after': '0' };

/** Answers one list otherwise, because the suite waits each time. */
const once = (reply: DeployedReply) => answerSome((count) => count === 10, reply, isList);

/** Pads the first list, and only this one, because it takes time. */
const padOnce = (bytes: number): CreateAnswer => {
  const padded = write((body) => body + ' '.repeat(bytes));
  return () => {
    let count = 0;
    return change.reply((request, reply) => isFirstList(request, reply) && ++count === 1, padded)();
  };
};

/** Services that pass both, or neither. */
const agreeing: Rows = {
  'is the mock': [all(() => ({})), PASSES, PASSES, adding],
  'names the charset of JSON': [all(sendAs('Application/JSON; charset="UTF-8"')), PASSES, PASSES],
  'prints JSON in lines': [all(write((body) => body.replaceAll(',"', ' ,\r\n\t"'))), PASSES, PASSES],
  'has more members': [
    combine([change.listed(set({ color: 'red' })), errors(set({ details: null }))]),
    PASSES,
    PASSES,
  ],
  'writes ids with a fraction of 0': [
    lists(write((body) => body.replaceAll(/"id":(\d+)/g, '"id":$1.0'))),
    PASSES,
    PASSES,
  ],
  'compresses bodies': [all(inCoding('gzip', (body) => gzipSync(body))), PASSES, PASSES, overHttp],
  'sends 2 MB': [padOnce(2_000_000), PASSES, PASSES],
  'has Errors with an empty message': [errors(set({ message: '' })), PASSES, PASSES],
  'sends no challenge with a 401': [refused(sendAs('application/json')), PASSES, PASSES],
  'answers an invalid query 409': [badQuery(() => createError(409)), PASSES, 'passes (undocumented-status)'],
  'lists nothing for an invalid query': [badQuery(() => createReply(200, [])), PASSES, PASSES],
  'limits the rate': [once(createError(429, again)), PASSES, 'passes (undocumented-status)'],
  'repeats a member of animals': [
    lists(write((body) => body.replaceAll('"name":', '"name":"Rex","name":'))),
    PASSES,
    'passes (repeated-member)',
  ],

  'sends lists as application/hal+json': [
    lists(sendAs('application/hal+json')),
    'service/media-type',
    'media-type',
  ],
  'sends Errors as application/problem+json': [
    change.error(sendAs('application/problem+json')),
    'errors/media-type',
    'media-type',
  ],
  'sends lists without a Content-Type': [lists(withoutType), 'service/media-type', 'media-type'],
  'sends its Content-Type twice': [
    lists(sendAs('application/json, application/json')),
    'service/media-type',
    'media-type',
  ],

  'sends a page in place of a list': [lists(() => createPage(200)), 'list-pets/success', 'media-type'],
  'sends a page as JSON': [lists(write(() => '<h1>Hello</h1>')), 'list-pets/success', 'json'],
  'cuts lists': [lists(write((body) => body.slice(0, -1))), 'list-pets/success', 'json'],
  'sends lists without a body': [lists(write(() => '')), 'list-pets/success', 'type'],
  'pads lists with NUL': [lists(write((body) => `${body}\0`)), 'list-pets/success', 'json'],
  'writes NaN': [lists(write((body) => body.replace(/:\d+/, ':NaN'))), 'list-pets/success', 'json'],
  'writes Latin-1': [
    lists(write((body) => Buffer.from(body.replace('"name":"', '"name":"é'), 'latin1'))),
    'list-pets/success',
    'json',
  ],
  'sends lists that are not in their content coding': [
    lists(inCoding('gzip')),
    'list-pets/success',
    'unchecked-body',
    overHttp,
  ],
  'cuts what it has compressed': [
    lists(inCoding('gzip', (body) => gzipSync(body).subarray(0, -9))),
    'list-pets/success',
    'unchecked-body',
    overHttp,
  ],

  'lists six animals for a limit of 5': [
    change.query((limit) => limit === '5', { limit: '6' }),
    'list-pets/limit-is-a-maximum',
    'list-pets/limit-is-a-maximum',
  ],
  'lists 21 animals without limit': [
    change.query((limit) => limit === null, { limit: '21' }),
    'list-pets/limit-default',
    'list-pets/limit-default',
  ],
  'ignores status': [
    change.query((_, status) => status !== null, { status: null }),
    'list-pets/filters',
    'list-pets/filters',
  ],
  'lists an animal twice': [
    toList((list) => (list.length > 1 ? list.with(-1, list[0] ?? null) : list)),
    'list-pets/unique-ids',
    'list-pets/unique-ids',
  ],
  'lists animals without an id': [first(drop('id')), 'list-pets/pets', 'required'],
  'lists an id beyond int64': [first(set({ id: 2n ** 63n })), 'list-pets/pets', 'maximum'],
  'lists fractions': [first(set({ categoryId: 1.5 })), 'list-pets/pets', 'type + format'],
  'lists null for a status': [first(alter('status', () => null)), 'list-pets/pets', 'type + enum'],
  'lists statuses in upper case': [
    first(alter('status', (status) => String(status).toUpperCase())),
    'list-pets/pets',
    'enum',
  ],
  'lists a number for the name of the 100th animal': [
    toList((list) => list.map((one, index) => (index === 99 ? { ...(one as JsonObject), name: 5n } : one))),
    'list-pets/pets',
    'type',
  ],

  'sends a list in place of an animal': [byId(changeJson((pet) => [pet])), 'get-pet/success', 'type'],
  'sends an almost whole number': [
    byId(write((body) => body.replace(/"categoryId":\d+/, '$&.00000000000000000001'))),
    'get-pet/same-as-listed',
    'type + format',
  ],
  'finds another animal': [
    byId(changeAnimal(alter('id', (id) => BigInt(String(id)) + 1n))),
    'get-pet/right-animal',
    'get-pet/right-animal',
  ],
  'answers additions without a status': [
    added(changeAnimal(drop('status'))),
    'create-pet/echoes',
    'create-pet/echoes',
    adding,
  ],
  'answers additions with a double': [
    added(changeAnimal(alter('categoryId', asDouble))),
    'create-pet/int64-exact',
    'create-pet/echoes',
    adding,
  ],

  'has Errors without a code': [errors(drop('code')), 'errors/body', 'required'],
  'has null for the message of an Error': [errors(set({ message: null })), 'errors/body', 'type'],
  'has another status in Errors': [errors(set({ status: 418n })), 'errors/status', 'errors/status'],
  'has the error of a gateway': [
    refused(write(() => '{"message":"Unauthorized"}')),
    'errors/body',
    'required',
  ],
  'sends Errors without a body': [change.error(write(() => '')), 'errors/body', 'type'],
  'sends nothing with a 401': [refused(() => createEmpty(401)), 'errors/body', 'type'],
  'has a page for an unknown id': [unknown(() => createPage(404)), 'errors/body', 'media-type'],

  'lists animals without a key': [change.key(isList, /^$/), 'list-pets/missing-key', 'missing-401'],
  'lists animals with an empty key': [
    change.key(isList, /^Bearer ?$/),
    'list-pets/missing-key',
    'missing-401',
  ],
  'lists animals with another scheme': [
    change.key(isList, /^(?!Bearer)\w+ test-key$/i),
    'list-pets/bearer-form',
    'missing-401',
  ],
  'finds animals with the key alone': [
    change.key(isFetch, /^test-key$/),
    'get-pet/bearer-form',
    'missing-401',
  ],
  'adds animals without a key': [
    change.key(isCreation, /^$/),
    'create-pet/missing-key',
    'missing-401',
    adding,
  ],

  'answers lists 204': [lists(() => createEmpty(204)), 'list-pets/limit-bounds', 'undocumented-status'],
  'answers additions 200': [
    added(() => ({ status: 200 })),
    'create-pet/success',
    'undocumented-status',
    adding,
  ],
  'answers lists 500': [lists(() => createError(500)), 'list-pets/limit-bounds', 'server-error'],
  'has a page for every animal': [
    byId(() => createPage(500)),
    'get-pet/success',
    'server-error + error-body',
  ],
};

/** Services that pass only one of the two, by the reason. */
const differing: Readonly<Record<string, Rows>> = {
  'The gate compares no exchanges with each other, because others may change the store in between.': {
    'hides an animal in lists by status': [
      change.list((list, { query }) => (query.has('status') ? list.slice(1) : list)),
      'list-pets/filter-complete',
      PASSES,
    ],
    'misspells the status in lists': [
      change.listed(({ status = null, ...pet }) => ({ ...pet, staus: status })),
      'list-pets/pets',
      'passes (unknown-member)',
      { isWhole: true },
    ],
    'shows another name by id': [
      byId(changeAnimal(alter('name', (name) => `${name}!`))),
      'get-pet/same-as-listed',
      PASSES,
    ],
    'finds no animal by its id': [byId(() => createError(404)), 'get-pet/success', PASSES],
    'gives all animals the same id': [
      added(changeAnimal(set({ id: 5n }))),
      'create-pet/unique-id',
      PASSES,
      adding,
    ],
  },
  'The gate does not know which keys are valid.': {
    'lists animals with any key': [change.key(isList, /^Bearer ./), 'list-pets/invalid-key', PASSES],
    'finds animals with no key': [byId(() => createError(401)), 'get-pet/success', PASSES],
  },
  'The gate does not know why a service refuses a request, so a refusal with an Error is a warning at most. The suite knows which status it has to get.':
    {
      'redirects lists': [
        lists(() => createEmpty(302, { location: '/elsewhere' })),
        'list-pets/limit-bounds',
        'passes (undocumented-status)',
      ],
      'answers lists 404': [
        lists(() => createError(404)),
        'list-pets/limit-bounds',
        'passes (undocumented-status)',
      ],
      'answers an unknown id 409': [
        unknown(() => createError(409)),
        'get-pet/unknown-is-404',
        'passes (undocumented-status)',
      ],
      'answers an invalid body 422': [
        change.reply(answered(400, isCreation), () => createError(422)),
        'create-pet/name-required',
        'passes (undocumented-status)',
        adding,
      ],
      'answers 403 without a key': [
        refused(() => createError(403)),
        'list-pets/missing-key',
        'passes (undocumented-status)',
      ],
      'finds no animal without a key': [
        change.reply(answered(401, isFetch), () => createError(404)),
        'get-pet/missing-key',
        PASSES,
      ],
    },
  'The gate blames an invalid request, and not what the service makes of it.': {
    'lists more than 100 animals for a limit of 1000': [
      () => {
        const readInvalidLimit = (limit: string) => (limit === '1000' ? 1000 : undefined);
        return createStoreAnswer({ animals: createAnimals(150), pageSize: 1000, readInvalidLimit });
      },
      'list-pets/limit-most-100',
      PASSES,
    ],
    'adds animals without a name': [
      change.sent((sent) => ({ name: 'Nameless', ...sent })),
      'create-pet/name-required',
      PASSES,
      adding,
    ],
  },
  'The gate checks whatever answers. The suite excuses servers and gateways that refuse a request before the service sees it.':
    {
      'has a gateway that limits the rate': [once(createPage(429, again)), PASSES, 'error-body'],
      'asks to wait': [once(createError(503, again)), PASSES, 'server-error'],
      'has a gateway that reaches no service once': [
        once(createPage(502)),
        PASSES,
        'server-error + error-body',
      ],
      'refuses pages of other origins': [
        answerWith(hasHeader('origin', /./), createPage(403)),
        PASSES,
        'error-body',
      ],
      'refuses a long path with a page': [
        change.reply(isAt('9'.repeat(400)), () => createPage(414)),
        PASSES,
        'error-body',
      ],
    },
  'Without a response there is nothing for the gate to check. The client gets its 502.': {
    'cuts the connection on malformed JSON': [
      answerWith(isMalformed, 'drop'),
      'errors/no-server-fault',
      PASSES,
      adding,
    ],
  },
  'Many readers accept a byte order mark, so the gate warns of it. The suite keeps to RFC 8259, section 8.1.':
    {
      'begins lists with a byte order mark': [
        lists(write((body) => `\ufeff${body}`)),
        'service/media-type',
        'passes (byte-order-mark)',
      ],
      'begins Errors with a byte order mark': [
        change.error(write((body) => `\ufeff${body}`)),
        'errors/media-type',
        'passes (byte-order-mark)',
      ],
    },
  'The gate decodes what it can, and reports what it cannot. The suite reads what it asked for, and ignores a coding that is none, as clients do.':
    {
      'sends the coding zstd, which was not asked for': [
        lists(inCoding('zstd', (body) => zstdCompressSync(body))),
        'list-pets/success',
        PASSES,
        overHttp,
      ],
      'has utf-8 as its content coding': [lists(inCoding('utf-8')), PASSES, 'unchecked-body', overHttp],
    },
  'The gate reads larger bodies than the suite, and the suite bodies with more values than the gate.': {
    'sends 9 MB': [padOnce(9_000_000), 'list-pets/success', PASSES, overHttp],
    'has 200 tags for each animal': [
      change.listed(set({ tags: Array(200).fill('tag') })),
      PASSES,
      'unchecked-body',
    ],
  },
};

/** An exchange of the run, as the service sees it. */
type Exchange = readonly [DeployedRequest, DeployedReply | 'drop'];

const check = await createCheck(loadContract());

/**
 * Runs the suite, which fails if a required clause does. Of a service that breaks clauses it runs only these: that no other one fails is
 * tested with the broken deployments.
 * @returns its findings, and all exchanges of the run
 */
async function runSuite([answer, suite, , how]: Row): Promise<{ suite: string; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const record: CreateAnswer = () => async (request, asMock) => {
    const reply = await asMock(request);
    exchanges.push([request, reply]);
    return reply;
  };
  const createAnswer = combine([answer, record]);
  const deployment = { name: '', target: { allowsWrites: false }, ...how, createAnswer };
  const only = suite === PASSES || how?.isWhole ? undefined : suite.split(' + ');
  const outcomes = await verify(deployment, only);
  const findings = listFindings({ outcomes }).filter(isFailure);
  return { suite: findings.map(({ clause }) => clause.id).join(' + ') || PASSES, exchanges };
}

/** Gives the exchanges of a run to the gate. @returns the rules that the responses break, those with warnings in brackets */
function runGate(exchanges: readonly Exchange[]): string {
  const rules = { error: new Set<string>(), warning: new Set<string>() };
  for (const [{ method, path, query, headers, body }, reply] of exchanges) {
    if (reply === 'drop') continue;
    const target = `/v1${path}?${query}`;
    const sent = decodeCheckedBody(Buffer.from(body), headers);
    const { checkResponse } = check({ method, target, path, query: String(query), headers, ...sent });
    const { status } = reply;
    const answered = joinHeaders(reply.headers);
    const response = { status, headers: answered, ...decodeCheckedBody(Buffer.from(reply.body), answered) };
    const { violations, brokenRules } = checkResponse(response);
    for (const { severity, rule } of [...violations, ...brokenRules]) rules[severity].add(rule);
  }
  const errors = [...rules.error].join(' + ');
  const warnings = [...rules.warning].join(' + ');
  if (errors !== '') return errors;
  return warnings === '' ? PASSES : `${PASSES} (${warnings})`;
}

const isPassed = (verdict: string) => verdict.startsWith(PASSES);

async function runBoth(row: Row) {
  const { suite, exchanges } = await runSuite(row);
  return { suite, gate: runGate(exchanges) };
}

test.concurrent.for(Object.entries(agreeing))(
  'gate and suite agree on a service that %s',
  async ([, row], { expect }) => {
    const [, suite, gate] = row;
    expect(isPassed(gate)).toBe(isPassed(suite));
    expect(await runBoth(row)).toEqual({ suite, gate });
  },
);

const differences = Object.entries(differing).flatMap(([reason, rows]) =>
  Object.entries(rows).map(([does, row]) => [does, reason, row] as const),
);

test.concurrent.for(differences)(
  'gate and suite differ on a service that %s: %s',
  async ([, , row], { expect }) => {
    const [, suite, gate] = row;
    expect(isPassed(gate)).not.toBe(isPassed(suite));
    expect(await runBoth(row)).toEqual({ suite, gate });
  },
);
