/** Prints a request without a check of its lines. Each character is one byte. */
export function printRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return `${[line, 'Host: localhost', 'Authorization: Bearer test-key', ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** Prints a GET of a target. */
export function printGet(target: string, ...headers: string[]): string {
  return printRequest(`GET ${target} HTTP/1.1`, headers);
}

/** Prints a POST /pets with a JSON body and its length. */
export function printPost(body: string, ...headers: string[]): string {
  return printFramed(body, `Content-Length: ${body.length}`, ...headers);
}

/** Prints a POST /pets. The caller gives the headers that frame the body. */
export function printFramed(body: string, ...headers: string[]): string {
  return printRequest('POST /v1/pets HTTP/1.1', ['Content-Type: application/json', ...headers], body);
}

/** A valid animal. */
export const animal = '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}';

/** The animal in one chunk. */
export const chunkedAnimal = `${animal.length.toString(16)}\r\n${animal}\r\n0\r\n\r\n`;

/** The header of a chunked body. */
export const chunked = 'Transfer-Encoding: chunked';

/** A request for one animal. */
export const one = printGet('/v1/pets/7');
