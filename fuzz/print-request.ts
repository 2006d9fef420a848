/** Prints a request whose lines are not checked; each character stands for a byte. */
export function printRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return `${[line, 'Host: x', 'Authorization: Bearer test-key', ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** Prints a GET of a target. */
export function printGet(target: string, ...headers: string[]): string {
  return printRequest(`GET ${target} HTTP/1.1`, headers);
}

/** Prints the addition of an animal with a JSON body of the right length. */
export function printPost(body: string, ...headers: string[]): string {
  return printFramed(body, `Content-Length: ${body.length}`, ...headers);
}

/** Prints the addition of an animal whose framing is left to the caller. */
export function printFramed(body: string, ...headers: string[]): string {
  return printRequest('POST /v1/pets HTTP/1.1', ['Content-Type: application/json', ...headers], body);
}

/** An animal that may be added. */
export const animal = '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}';

/** The animal in one chunk. */
export const chunkedAnimal = `${animal.length.toString(16)}\r\n${animal}\r\n0\r\n\r\n`;

/** The header of a chunked body. */
export const chunked = 'Transfer-Encoding: chunked';

/** A request for one animal. */
export const one = printGet('/v1/pets/7');

/** Requests that clients make. */
export const validRequests: readonly string[] = [
  one,
  printGet('/v1/pets?limit=3&status=sold'),
  printRequest('HEAD /v1/pets HTTP/1.1'),
  printPost(animal),
  printFramed(chunkedAnimal, chunked),
];

/** Requests with a place for a value that does not belong there. */
export const templates = {
  'request line': (line) => printRequest(line),
  method: (method) => printRequest(`${method} /v1/pets/1 HTTP/1.1`),
  CONNECT: (target) => printRequest(`CONNECT ${target} HTTP/1.1`),
  OPTIONS: (target) => printRequest(`OPTIONS ${target} HTTP/1.1`),
  target: (target) => printGet(target),
  path: (text) => printGet(`/v1/pets/${text}`),
  limit: (text) => printGet(`/v1/pets?limit=${text}`),
  'target without a key': (target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'header line': (line) => printGet('/v1/pets', line, 'Y: z'),
  Upgrade: (protocol) => printGet('/v1/pets', 'Connection: Upgrade', `Upgrade: ${protocol}`),
  'Upgrade with a body': (protocol) => printPost(animal, 'Connection: Upgrade', `Upgrade: ${protocol}`),
  Expect: (expectation) => printGet('/v1/pets', `Expect: ${expectation}`),
  'Expect with a body': (expectation) => printPost(animal, `Expect: ${expectation}`),
  Authorization: (value) => one.replace('Bearer test-key', () => value),
  Host: (host) => one.replace('Host: x', () => `Host: ${host}`),
  Connection: (names) => printPost(animal, `Connection: ${names}`),
  'Connection with chunks': (names) => printFramed(chunkedAnimal, chunked, `Connection: ${names}`),
  'Connection with the body of a GET': (names) =>
    `${printGet('/v1/pets', 'Content-Length: 2', `Connection: ${names}`)}{}`,
  'Content-Length': (length) => printFramed(animal, `Content-Length: ${length}`),
  'Transfer-Encoding': (coding) => printFramed(chunkedAnimal, `Transfer-Encoding: ${coding}`),
  chunks: (chunks) => printFramed(chunks, chunked),
  trailer: (line) => printFramed(`${chunkedAnimal.slice(0, -2)}${line}\r\n\r\n`, chunked),
  JSON: (body) => printPost(body),
  name: (name) => printPost(`{"name":"${name}","categoryId":1}`),
  'Content-Type': (type) => printPost(animal).replace('application/json', () => type),
  'Content-Encoding': (codings) => printPost(animal, `Content-Encoding: ${codings}`),
  'path of a POST': (target) => printPost(animal).replace('/v1/pets', () => target),
} as const satisfies Record<string, (value: string) => string>;
