import { allowed, listMembers, newPet, printPet, reported, type SampleExchange } from './sample-exchange.ts';

/** Queries of a list. */
const queries = {
  allowed: ['', 'limit=1', 'limit=100', 'limit=%31', 'l%69mit=1', 'limit=2&status=sold', 'status=pending'],
  unknown: ['page=2', 'limit[]=0', 'Xlimit=0&status%5B%5D=lost', '__proto__=1'],
  reported: [
    ...['limit=0', 'limit=101', 'limit=1000000000000000000000', 'limit=1.5', 'limit=abc', 'limit=null'],
    ...[
      'limit=1,2',
      'limit=%ZZ',
      'limit=1&limit=2',
      'status=Available',
      'status=%20sold',
      'limit=0&status=lost',
    ],
    'status=sold&status=sold',
  ],
};

/** Paths of one animal. */
const paths = {
  allowed: ['/pets/0', '/pets/-1', '/pets/%31', '/pets/9007199254740991', '/pets/1?'],
  reported: ['9223372036854775808', '-9223372036854775809', 'abc', '1.5', '1,2', '1%2F2', ''],
};

/** Integers within int64 that the stock proxy reports, and as what. */
const int64 = [
  ['9007199254740992', 'maximum'],
  ['9223372036854775807', 'maximum'],
  ['-9223372036854775808', 'minimum'],
] as const;

/** Methods and paths that no operation has. */
const unrouted = [
  ...['GET /', 'GET /PETS', 'GET /pets/1/2', 'GET //pets', 'POST /messages', 'POST /pets/1', 'PUT /pets'],
  ...['DELETE /pets/1', 'OPTIONS /pets'],
];

const ofCategory = (id: string) => `{"name":"Rex","categoryId":${id}}`;

/** Bodies of a creation that conform. */
const bodies: Readonly<Record<string, string>> = {
  'an empty name': '{"name":"","categoryId":2}',
  'an escaped name': '{"n\\u0061me":"Zoë 🐈‍⬛ \\ud83d\\ude00\\u0000","categoryId":2}',
  whitespace: ` {\n\t"name" : "Rex" , "categoryId" : 2 }\r\n`,
  'a member that is given twice': '{"name":5,"name":"Rex","categoryId":2}',
  'an integer in another notation': ofCategory('1.0e2'),
  'a negative category': ofCategory('-9007199254740991'),
  'the status sold': '{"name":"Rex","categoryId":2,"status":"sold"}',
};

/** Bodies of a creation with a member that the contract does not have. */
const unknownMembers: Readonly<Record<string, string>> = {
  'an extra field': '{"name":"Rex","categoryId":2,"color":{"red":[null]}}',
  'a misspelt status': '{"name":"Rex","categoryId":2,"staus":"sold"}',
  'an id': printPet(),
};

/** Members of a creation of which each breaks a rule. */
const brokenMembers = listMembers({
  name: [undefined, null, 5, []],
  categoryId: [undefined, null, '2', 1.5, {}],
  status: [null, true, '', 'Available', []],
});

/** Bodies of a creation that break a rule as a whole. */
const brokenBodies = [
  ...['', '{}', '{"name":1,"categoryId":"1","status":"lost"}', `[${newPet}]`, 'null', 'false', '0', '""'],
  ...[ofCategory('9223372036854775808'), ofCategory('-9223372036854775809')],
];

const withKey = (key: string | undefined) => ({ headers: { Authorization: key } });
const withType = (type: string | undefined) => ({ sent: newPet, headers: { 'Content-Type': type } });
const chunked = { 'Transfer-Encoding': 'chunked' };
const crossOrigin = { Origin: 'http://app.test', 'Access-Control-Request-Method': 'POST' };
const noUtf8 = Buffer.from('{"name":"\xff","categoryId":2}', 'latin1');

/** Requests of every operation, those that conform and one for each rule that can be broken. */
export const requestExchanges: readonly SampleExchange[] = [
  ...['Bearer  k', 'Bearer\tk', 'Bearer a.b-c_d~e+f/g=='].map((key) =>
    allowed(`Authorization: ${JSON.stringify(key)}`, withKey(key)),
  ),
  allowed('the name of Authorization in another case', {
    headers: { Authorization: undefined, AUTHORIZATION: 'Bearer k' },
  }),
  ...['bearer k', 'beArer  k'].map((key) =>
    allowed(`Authorization: ${key}`, { ...withKey(key), stock: ['scheme', 200, 'Error request 401'] }),
  ),
  ...['Bearer', 'Bearerk', 'Basic azpr', ''].map((key) => reported(`Authorization: ${key}`, withKey(key))),
  reported('a missing key', withKey(undefined)),
  reported('a missing key that is refused', { ...withKey(undefined), status: 401 }),
  reported('a missing key and other errors', { ...withKey(undefined), path: '/pets/abc', answered: '{}' }),

  ...unrouted.map((line) => {
    const [method = '', path = ''] = line.split(' ');
    return reported(line, { method, path, status: 404 });
  }),
  reported('a body of a request that no operation is for', { method: 'PUT', sent: newPet, status: 405 }),
  reported('a path with dot segments', { path: '/x/../pets', stock: ['dot segments', 200] }),
  reported('GET with a body', { method: 'GET', sent: newPet, stock: ['body of GET', 501] }),
  allowed('HEAD of a list', { method: 'HEAD', path: '/pets?limit=1', stock: ['head', 500] }),
  reported('HEAD /pets/abc', { method: 'HEAD', path: '/pets/abc', stock: ['head', 500] }),
  allowed('a preflight request', {
    method: 'OPTIONS',
    headers: crossOrigin,
    status: 405,
    stock: ['preflight', 204],
  }),

  ...queries.allowed.map((query) => allowed(`GET /pets?${query}`, { path: `/pets?${query}` })),
  ...[...queries.unknown.map((query) => `/pets?${query}`), '/pets/1?limit=0'].map((path) =>
    allowed(`GET ${path}`, { path, stock: ['unknown parameter', 200] }),
  ),
  ...queries.reported.map((query) => reported(`GET /pets?${query}`, { path: `/pets?${query}` })),
  allowed('a parameter named in another case, which is another parameter,', {
    path: '/pets?Limit=0',
    stock: ['query case', 200, 'Error request.query.limit minimum'],
  }),
  allowed('a parameter with orders to a mock', { path: '/pets?__code=x', stock: ['preferences', 422] }),
  allowed('a header with orders to a mock', { headers: { Prefer: 'code=x' }, stock: ['preferences', 422] }),

  ...paths.allowed.map((path) => allowed(`GET ${path}`, { path })),
  ...paths.reported.map((id) => reported(`GET /pets/${id}`, { path: `/pets/${id}` })),
  ...int64.map(([id, rule]) => {
    const stock = ['int64', 200, `Error request.path.petid ${rule}`] as const;
    return allowed(`GET /pets/${id}`, { path: `/pets/${id}`, stock });
  }),
  reported('a path that cannot be decoded', { path: '/pets/%ZZ', stock: ['end of process', 'ends'] }),

  ...Object.entries(bodies).map(([title, sent]) => allowed(`a creation with ${title}`, { sent })),
  ...Object.entries(unknownMembers).map(([title, sent]) =>
    allowed(`a creation with ${title}`, { sent, stock: ['unknown member', 201] }),
  ),
  ...brokenMembers.map(({ title, members }) => {
    const sent = JSON.stringify({ name: 'Rex', categoryId: 2, ...members });
    return reported(`a creation with ${title}`, { sent });
  }),
  ...brokenBodies.map((sent) => reported(`a creation with the body ${sent}`, { sent })),
  reported('a creation without a body', { method: 'POST' }),
  ...int64.map(([id, rule]) => {
    const stock = ['int64', 201, `Error request.body.categoryId ${rule}`] as const;
    return allowed(`a creation with the category ${id}`, { sent: ofCategory(id), stock });
  }),
  ...['application/json; charset=utf-8', 'Application/JSON'].map((type) =>
    allowed(`a creation with the media type ${type}`, withType(type)),
  ),
  ...['text/plain', 'application/x-www-form-urlencoded', undefined].map((type) =>
    reported(`a creation with the media type ${type}`, withType(type)),
  ),
  // A semicolon may have nothing behind it. Source: RFC 9110 section 5.6.6
  allowed('a creation with a media type that ends with a semicolon', {
    ...withType('application/json;'),
    stock: ['media type of a request', 500],
  }),
  reported('a creation with two media types', {
    ...withType('application/json, text/plain'),
    stock: ['media type of a request', 500],
  }),
  reported('malformed JSON from a client', { sent: '{"name":', stock: ['malformed request', 'hangs'] }),
  reported('a creation with bytes that are not UTF-8', { sent: noUtf8, stock: ['byte sequence', 201] }),
  allowed('a creation in chunks', {
    sent: newPet,
    headers: chunked,
    stock: ['chunked', 400, 'Error response', 'Error response.body type'],
  }),
  reported('a creation in chunks of another media type', {
    sent: newPet,
    headers: { ...chunked, 'Content-Type': 'text/plain' },
    stock: ['chunked', 400, 'Error request.body type', 'Error response', 'Error response.body type'],
  }),
];
