import { post } from '../../../mock/testing/http-case.ts';
import {
  creation,
  errorAnswer,
  lawful,
  printPet,
  type SampleExchange,
  stockSays,
  unlawful,
} from './sample-exchange.ts';

const small = '{"name":"Rex","categoryId":2}';

function accepts(title: string, body: string, headers: Record<string, string> = {}): SampleExchange {
  return lawful(`a creation with ${title} is allowed`, post('/pets', body, headers), creation.response);
}

function reports(
  title: string,
  body: string | Buffer,
  headers: Record<string, string | undefined> = {},
): SampleExchange {
  return unlawful(`a creation with ${title} is reported`, post('/pets', body, headers), creation.response);
}

/** Reports of a body that has one member of another value. */
function reportsOf(member: string, ...values: readonly unknown[]): SampleExchange[] {
  return values.map((value) => {
    const title = value === undefined ? `no ${member}` : `the ${member} ${JSON.stringify(value)}`;
    return reports(title, JSON.stringify({ name: 'Rex', categoryId: 2, [member]: value }));
  });
}

const noUtf8 = Buffer.from('{"name":"\xff","categoryId":2}', 'latin1');

/** Requests to add an animal, and lawful answers to them. */
export const createPetExchanges: readonly SampleExchange[] = [
  lawful('a creation is allowed', creation.request, creation.response),
  lawful('a refused body is allowed as an answer', creation.request, errorAnswer(400)),
  lawful('a refused key is allowed as an answer to a creation', creation.request, errorAnswer(401)),
  ...['available', 'pending', 'sold'].map((status) =>
    accepts(`the status ${status}`, JSON.stringify({ name: 'Rex', categoryId: 2, status })),
  ),
  accepts('an extra field', '{"name":"Rex","categoryId":2,"color":{"red":[null]}}'),
  accepts('an id', printPet()),
  accepts('an empty name', '{"name":"","categoryId":2}'),
  accepts('a name in unicode', '{"name":"Zoë 🐈‍⬛ ж","categoryId":2}'),
  accepts('an escaped name', '{"n\\u0061me":"\\ud83d\\ude00\\u0000","categoryId":2}'),
  accepts('whitespace', ` {\n\t"name" : "Rex" , "categoryId" : 2 }\r\n`),
  accepts('a member that is given twice', '{"name":5,"name":"Rex","categoryId":2}'),
  accepts('an integer in another notation', '{"name":"Rex","categoryId":1.0e2}'),
  accepts('a category of 0', '{"name":"Rex","categoryId":0}'),
  accepts('a negative category', '{"name":"Rex","categoryId":-9007199254740991}'),
  accepts('the largest safe category', '{"name":"Rex","categoryId":9007199254740991}'),
  accepts('a media type with a charset', small, { 'Content-Type': 'application/json; charset=utf-8' }),
  accepts('a media type in another case', small, { 'Content-Type': 'Application/JSON' }),
  ...['9007199254740992', '9223372036854775807'].map((categoryId) =>
    lawful(
      `a creation with the category ${categoryId} is allowed`,
      post('/pets', `{"name":"Rex","categoryId":${categoryId}}`),
      creation.response,
      stockSays('int64', 201, 'Error request.body.categoryId maximum'),
    ),
  ),
  lawful(
    'a creation with the smallest int64 is allowed',
    post('/pets', '{"name":"Rex","categoryId":-9223372036854775808}'),
    creation.response,
    stockSays('int64', 201, 'Error request.body.categoryId minimum'),
  ),
  reports('a category above int64', '{"name":"Rex","categoryId":9223372036854775808}'),
  reports('a category below int64', '{"name":"Rex","categoryId":-9223372036854775809}'),
  ...reportsOf('name', undefined, null, true, 5, 1.5, [], {}),
  ...reportsOf('categoryId', undefined, null, false, '2', 1.5, [], {}),
  ...reportsOf('status', null, true, 5, '', 'lost', 'Available', [], {}),
  reports('an empty object', '{}'),
  reports('all members wrong', '{"name":1,"categoryId":"1","status":"lost"}'),
  ...['[]', `[${small}]`, 'null', 'true', 'false', '0', '5', '""', '"Rex"'].map((body) =>
    reports(`the body ${body}`, body),
  ),
  unlawful('a creation without a body is reported', { method: 'POST', path: '/pets' }, creation.response),
  reports('an empty body', ''),
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'text/json'].map((type) =>
    reports(`the media type ${type}`, small, { 'Content-Type': type }),
  ),
  reports('no media type', small, { 'Content-Type': undefined }),
  // A semicolon may have nothing behind it. Source: RFC 9110 section 5.6.6
  lawful(
    'a creation with a media type that ends with a semicolon is allowed',
    post('/pets', small, { 'Content-Type': 'application/json;' }),
    creation.response,
    stockSays('media type of a request', 500),
  ),
  unlawful(
    'a creation with two media types is reported',
    post('/pets', small, { 'Content-Type': 'application/json, text/plain' }),
    creation.response,
    stockSays('media type of a request', 500),
  ),
  unlawful('malformed JSON from a client is reported', post('/pets', '{"name":'), creation.response, {
    name: 'malformed request',
    outcome: 'hangs',
  }),
  unlawful(
    'a creation with bytes that are no UTF-8 is reported',
    post('/pets', noUtf8),
    creation.response,
    stockSays('byte sequence', 201),
  ),
  lawful(
    'a creation in chunks is allowed',
    post('/pets', small, { 'Transfer-Encoding': 'chunked' }),
    creation.response,
    stockSays('chunked', 400, 'Error response', 'Error response.body type'),
  ),
  unlawful(
    'a creation in chunks of another media type is reported',
    post('/pets', small, { 'Transfer-Encoding': 'chunked', 'Content-Type': 'text/plain' }),
    creation.response,
    stockSays('chunked', 400, 'Error request.body type', 'Error response', 'Error response.body type'),
  ),
];
