import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import {
  allowed,
  listMembers,
  newPet,
  nothing,
  ofType,
  printPet,
  type Row,
  reported,
  type SampleExchange,
} from './sample-exchange.ts';

const one = { path: '/pets/1' };
const creation = { sent: newPet };

/** Responses that conform: of every operation and status, and lists and animals of all kinds. */
const conforming: Readonly<Record<string, Row>> = {
  'a list': {},
  'a refused limit': { status: 400 },
  'a refused key of a list': { status: 401 },
  'a creation': creation,
  'a refused body': { ...creation, status: 400 },
  'a refused key of a creation': { ...creation, status: 401 },
  'an unknown animal': { ...one, status: 404 },
  'a refused key of a fetch': { ...one, status: 401 },
  'an empty list': { answered: '[]' },
  'a list of several animals': { answered: `[${printPet()},${printPet({ id: 2 })}]` },
  'an animal without a status in a list': { answered: `[${printPet({ status: undefined })}]` },
  'an extra field in a list': { answered: `[${printPet({ color: 'red', tags: [null] })}]` },
  'a list with whitespace': { answered: ' [ \n ] ' },
  'the status pending in a list': { answered: `[${printPet({ name: 'Zoë 🐈‍⬛ ж', status: 'pending' })}]` },
  'a misspelt status in a list': {
    answered: `[${printPet({ status: undefined, staus: 'sold' })}]`,
    stock: ['unknown member', 200],
  },
  'an animal': one,
  'an animal without a status': { ...one, answered: printPet({ status: undefined }) },
  'an animal with an extra field': { ...one, answered: printPet({ color: null }) },
  'an integer in another notation': { ...one, answered: '{"id":1.0,"name":"Rex","categoryId":1e2}' },
  'negative integers': { ...one, answered: printPet({ id: -1, categoryId: -9007199254740991 }) },
};

/** Statuses that an operation does not document, and the malformed page of one that none does. */
const misplaced: Readonly<Record<string, Row>> = {
  'a list with the status of a creation': { status: 201, answered: printPet() },
  'a creation with the status of a list': { ...creation, status: 200 },
  'a list that is not found': { status: 404 },
  'a fetch that is a bad request': { ...one, status: 400 },
  'an answer without content': { ...one, status: 204, ...nothing },
  'an answer that nothing was modified': { status: 304, ...nothing },
  'a redirect to nowhere': { status: 302, ...nothing },
  'a page of a failing server': { status: 500, answered: '<h1>Failed</h1>', ...ofType('text/html') },
};

/** Statuses that no operation documents. */
const undocumented = [202, 206, 300, 403, 415, 429, 500, 503];

/** Members of an animal of which each breaks a rule. */
const brokenMembers = listMembers({
  id: [undefined, null, '1', 1.5],
  name: [undefined, null, 5, []],
  categoryId: [undefined, true, '2', 1.5],
  status: [null, 5, '', 'Available', {}],
});

/** Members of an Error of which each breaks a rule. */
const brokenErrors = listMembers({
  code: [undefined, null],
  message: [undefined, []],
  status: [undefined, '401', 401.5],
});

/** Bodies that break a rule as a whole. */
const brokenBodies = {
  list: ['{}', 'null', '5', '[null]', '[[]]', '[{}]'],
  animal: ['[]', 'null', '0', '{}', `[${printPet()}]`],
  Error: ['[]', 'null', '"Unauthorized"', '{"error":"Unauthorized"}'],
};

const types = {
  allowed: ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'],
  reported: ['text/html', 'text/json'],
};

const inCoding = (coding: string) => ({ answerHeaders: { 'Content-Encoding': coding } });
const withId = (id: string) => `{"id":${id},"name":"Rex","categoryId":2}`;
const noUtf8 = Buffer.from('{"id":1,"name":"\xff","categoryId":2}', 'latin1');

/** Responses of every operation and status, those that conform and one for each rule that can be broken. */
export const responseExchanges: readonly SampleExchange[] = [
  ...Object.entries(conforming).map(([title, row]) => allowed(title, row)),
  ...Object.entries(misplaced).map(([title, row]) => reported(title, row)),
  ...undocumented.map((status) => reported(`the undocumented status ${status}`, { status })),
  reported('a redirect', {
    answered: '',
    answerHeaders: { 'Content-Type': undefined, Location: '/v1/landing' },
    status: 302,
    stock: ['redirect', 200],
  }),
  reported('501', { status: 501, stock: ['not implemented', 200] }),

  ...types.allowed.map((type) =>
    allowed(`a response of the type ${type}`, { ...ofType(type), answered: '[]' }),
  ),
  ...types.reported.map((type) =>
    reported(`a response of the type ${type}`, { ...ofType(type), answered: '[]' }),
  ),
  allowed('the name of a header in another case', {
    answered: '[]',
    answerHeaders: { 'Content-Type': undefined, 'CONTENT-type': 'application/json' },
  }),
  allowed('headers that the contract does not know', {
    answered: '[]',
    answerHeaders: { 'X-Total': '0', 'Set-Cookie': 'a=b' },
  }),
  reported('a response without a media type', { ...nothing, answered: '[]' }),
  reported('an Error of another media type', { status: 401, answered: 'No.', ...ofType('text/plain') }),
  reported('a malformed media type', {
    answered: '[]',
    ...ofType('json'),
    stock: ['end of process', 'ends'],
  }),
  allowed('a response in gzip', { answered: gzipSync('[]'), ...inCoding('gzip') }),
  allowed('a response in deflate', { answered: deflateSync('[]'), ...inCoding('deflate') }),
  reported('a broken list in gzip', { answered: gzipSync('[{}]'), ...inCoding('gzip') }),
  allowed('a response in zstd', {
    answered: zstdCompressSync('[]'),
    ...inCoding('zstd'),
    stock: ['content coding', 500],
  }),

  ...brokenMembers.map(({ title, members }) =>
    reported(`an animal with ${title}`, { ...one, answered: printPet(members) }),
  ),
  reported('a new animal with no id', { ...creation, answered: printPet({ id: undefined }) }),
  ...listMembers({ id: [undefined], status: ['lost'] }).map(({ title, members }) =>
    reported(`an animal of a list with ${title}`, { answered: `[${printPet()},${printPet(members)}]` }),
  ),
  ...brokenErrors.map(({ title, members }) => {
    const answered = JSON.stringify({ code: 'code', message: 'A message.', status: 401, ...members });
    return reported(`an Error with ${title}`, { status: 401, answered });
  }),
  ...brokenBodies.list.map((answered) => reported(`the list ${answered}`, { answered })),
  ...brokenBodies.animal.map((answered) => reported(`the animal ${answered}`, { ...one, answered })),
  ...brokenBodies.Error.map((answered) =>
    reported(`the Error ${answered}`, { ...one, status: 404, answered }),
  ),
  reported('each of several broken animals', { answered: `[{},${printPet({ id: '1', status: 5 })}]` }),
  ...['[', '{"id":1,}', 'NaN'].map((answered) =>
    reported(`the malformed response ${answered}`, { answered, stock: ['malformed response', 500] }),
  ),
  reported('an empty response', { answered: '', stock: ['malformed response', 500] }),
  reported('bytes that are not UTF-8', { ...one, answered: noUtf8, stock: ['byte sequence', 200] }),

  ...['9007199254740992', '9223372036854775807'].map((id) => {
    const stock = ['int64', 200, 'Error response.body.id maximum'] as const;
    return allowed(`an animal with the id ${id}`, { ...one, answered: withId(id), stock });
  }),
  allowed('a list with the smallest int64', {
    answered: `[${withId('-9223372036854775808')}]`,
    stock: ['int64', 200, 'Error response.body.0.id minimum'],
  }),
  reported('an id above int64', { ...one, answered: withId('9223372036854775808') }),
  reported('an id below int64', { ...one, answered: withId('-9223372036854775809') }),
  reported('more violations than a header holds', {
    answered: JSON.stringify(Array(60).fill({})),
    stock: ['long header', 200, 'cut off'],
  }),
];
