import { expect, test } from 'vitest';
import { Exchange } from '../../../contract-tests/client/exchange.ts';
import { createTarget } from '../../../contract-tests/testing/run-suite.ts';
import { completeBehaviour } from '../../behaviour/behaviours.ts';
import type { ChoiceName } from '../../behaviour/choices.ts';
import type { ErrorCodes } from '../../behaviour/error-codes.ts';
import { type ExactJson, type JsonObject, printExactJson } from '../../json/exact-json.ts';
import { learn } from '../learn.ts';

export interface Told {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sentHeaders?: Readonly<Record<string, string>>;
  readonly body?: ExactJson;
  readonly sent?: string;
  readonly mediaType?: string;
  /** What the request has as Authorization. Without the key of the target it is of a clause about keys. */
  readonly authorization?: string;
  readonly isAuthorized?: boolean;
  readonly base?: string;
  /** When it was sent and when it was answered, in ms. */
  readonly at?: number;
  readonly end?: number;
}

export const target = createTarget({ baseUrl: 'http://store.example/v1' });

export const KEY = `Bearer ${target.apiKey}`;

export function createExchange(told: Told, index: number, secrets = target): Exchange {
  const {
    method = 'GET',
    path = '/pets',
    status = 200,
    headers = {},
    body,
    sent,
    base = target.baseUrl,
  } = told;
  const { mediaType = 'application/json', authorization = KEY, at = index * 10, end = at + 5 } = told;
  const request = {
    method,
    base,
    path,
    headers: {
      Authorization: authorization,
      ...(sent !== undefined && { 'Content-Type': mediaType }),
      ...told.sentHeaders,
    },
    body: sent,
    isAuthorized: told.isAuthorized ?? authorization === KEY,
  };
  const text = body === undefined ? '' : printExactJson(body);
  const response = { status, headers, body: Buffer.from(text) };
  return new Exchange(request, { response, failure: undefined }, secrets, at, end - at);
}

/** Learns a choice from a run. @returns its value and what shows it, or why it is unknown */
export function learnOne(name: ChoiceName, told: readonly Told[], allowsWrites = true) {
  const { behaviour, observed, unknown, evidence } = learn(
    told.map((one, index) => createExchange(one, index)),
    {
      ...target,
      allowsWrites,
    },
  );
  if (!observed.includes(name)) return [unknown[name]];
  const shown = evidence[name]?.map(({ request, status }) => `${request} ${status}`);
  return [completeBehaviour(behaviour)[name], shown?.join(', ')];
}

export type Row = readonly [
  what: string,
  told: readonly Told[],
  value: ExactJson | string | number | ErrorCodes,
  evidence?: string,
];

export const UNCERTAIN = 'the time is not certain enough';
export const NOT_SHOWN = 'no response shows it';
export const NOT_OF_TIME = 'ids grow with gaps, but not with the time';
export const NOT_CREATED = 'no response to POST shows it';
export const DIFFERENT = 'responses differ';
export const NO_VALUE = 'no value describes what was observed';
export const OF_ANY_CASE = 'taken names are refused, perhaps also in another case';
export const PERHAPS_BLANK = 'empty names are refused, perhaps also those of spaces only';
export const TOO_FEW = 'the deployment has too few animals';

export function animal(id: number | bigint, others: JsonObject = {}): JsonObject {
  return { id: BigInt(id), name: `Animal ${id}`, categoryId: 1n, status: 'sold', ...others };
}

/** Animals with these ids. */
export const animals = (from: number, to: number, others: JsonObject = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => animal(from + index, others));

export const list = (query: string, body: readonly JsonObject[], others: Told = {}): Told => {
  return { path: `/pets${query}`, body, ...others };
};

export const refusal = (path: string, status = 400, others: Told = {}): Told => ({
  path,
  status,
  body: { code: 'bad', message: 'x', status: BigInt(status) },
  ...others,
});

/** An Error with a code. */
export const failure = (status: number, code: string): Told => refusal('/pets', status, { body: { code } });

/** An Error with a code, and another status than 400 if it is given. */
export const refuseAs = (code: string, { path = '/pets', status = 400, ...others }: Told): Told =>
  refusal(path, status, { ...others, body: { code, message: 'x', status } });

/** An Error for a body. */
export const refuseBodyAs = (code: string, sent: string): Told => refuseAs(code, { method: 'POST', sent });

/** Adds an animal. @param sent its members, as JSON text */
export function add(
  id: number | bigint,
  sent = `"name":"Animal ${id}","categoryId":1`,
  others: Told = {},
): Told {
  const shown = JSON.parse(`{${sent}}`);
  const { name = '', status = 'available' } = shown;
  const body = animal(id, { name, status });
  return { method: 'POST', sent: `{${sent}}`, status: 201, body, ...others };
}

export const refuse = (sent: string, status = 400): Told =>
  add(0, sent, { status, body: { code: 'bad', message: 'It is refused.', status } });

export const refuseWith = (sent: string, message: string): Told =>
  add(0, sent, { status: 400, body: { code: 'bad', message, status: 400n } });

export const fetch = (id: number, others: Told = {}): Told => ({
  path: `/pets/${id}`,
  body: animal(id),
  ...others,
});

export const ALL = '?limit=100';
export const FURTHER = '?limit=1&page=2&offset=3&skip=4';

/** Two lists of the same order. */
export const ordered = [list('', animals(1, 8)), list(ALL, animals(1, 30))];

/** The members of an animal with a name. */
export const ofName = (name: string) => `"name":"${name}","categoryId":1`;

/** An animal of each status. */
export const ofEachStatus = [animal(1), animal(2, { status: 'pending' }), animal(3, { status: 'available' })];

export const ofStatus = (status: string) => `${ALL}&status=${status}`;

/** Animals with categories that no listed animal has. The last list shows that none was cut. */
export const ofCategories = (accepted: readonly number[], refused: readonly number[]): readonly Told[] => [
  list(ALL, animals(1, 2)),
  add(49, '"name":"Animal 49","categoryId":1'),
  ...accepted.map((category, index) =>
    add(50 + index, `"name":"Animal ${50 + index}","categoryId":${category}`),
  ),
  ...refused.map((category, index) => refuse(`"name":"Animal ${60 + index}","categoryId":${category}`)),
  list(ALL, animals(1, 3)),
];

/** Animals that are added every 100 ms, with ids of the time. @param unit how many make a millisecond */
export const idsOfTime = (unit: number, speed = 1): readonly Told[] =>
  Array.from({ length: 8 }, (_, index) => {
    const ms = index * 100;
    return add((1_800_000_000_000 + ms * speed) * unit, undefined, { at: ms });
  });

/** The members of an animal with a name of so many letters. */
export const nameOf = (length: number) => `"name":"${'x'.repeat(length)}","categoryId":1`;

/** A body with two names. */
export const twice = '"name":"First","categoryId":1,"name":"Other"';

/** A new animal 9 that was added until 5 ms. */
export const added = add(9, undefined, { at: 0 });
export const lacking = (at: number) => list(ALL, animals(1, 1), { at });
export const showing = (end: number) => list(ALL, [animal(9), animal(1)], { at: end - 5, end });

export const twenty = list('', animals(1, 20));
export const thirty = list(ALL, animals(1, 30));
export const usual = [twenty, thirty];

/** Animals whose ids and names are in no order. */
export const mixed = [3, 1, 2, 6, 4, 5].map((id) => animal(id, { name: `Rex ${(id * 4) % 7}` }));
/** Sorted by status, then by id, and not by name. */
export const shelves = [4, 6, 7, 1, 2, 5].map((id, index) =>
  animal(id, { name: `Rex ${(id * 4) % 7}`, status: index < 3 ? 'available' : 'sold' }),
);
export const named = (ids: readonly number[], names: string) =>
  ids.map((id, index) => animal(id, { name: `Rex ${names[index]}` }));

/** An animal with an ETag, and another request for it with the ETag. */
export const taggedList = list('', [], { headers: { etag: '"1"' } });
export const tagged = fetch(1, { headers: { etag: '"1"' } });
export const again = (status: number, { sent = 'If-None-Match', etag = '"1"' } = {}): Told =>
  fetch(1, { status, headers: { etag }, sentHeaders: { [sent]: '"1"' } });

const PAGE = 'https://page.example';

/** The preflight of a page. */
export const preflight = (headers: Told['headers'] = {}, status = 204): Told => ({
  method: 'OPTIONS',
  authorization: '',
  sentHeaders: { Origin: PAGE, 'Access-Control-Request-Method': 'GET' },
  status,
  headers,
});

/** Runs, with the value of a choice that each shows. */
export type Rows = { readonly [Name in ChoiceName]?: readonly Row[] };

/** Tests what each run shows. */
export function testRows(rows: Rows): void {
  const all = Object.entries(rows).flatMap(([name, some]) =>
    some.map((row) => [name as ChoiceName, ...row] as const),
  );
  test.for(all)('%s: %s', ([name, , told, value, evidence]) => {
    const learned = learnOne(name, told);
    expect(learned[0]).toEqual(value);
    if (evidence !== undefined) expect(learned[1]).toBe(evidence);
  });
}
