import type { HttpRequest } from '../../tools/testing/http-case.ts';
import { type BrowserMockOptions, createBrowserMock } from '../browser/create-browser-mock.ts';

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/**
 * Creates a mock of a page without MSW, and without animals unless the options have some. `ask` gives a request to the first
 * handler that matches, and `send` one of the form that tables of requests have.
 */
export function createPageMock(options: BrowserMockOptions, baseUrl?: string) {
  const keep = (method: string) => (path: RegExp, resolver: Resolver) => ({ method, path, resolver });
  const http = { get: keep('GET'), head: keep('HEAD'), post: keep('POST'), all: keep('any') };
  const mock = createBrowserMock(http, { data: [], ...options }, baseUrl);
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
    const request = new Request(`https://api.example${path}`, { method, headers, ...init });
    // MSW compares the URL without its query.
    const [url = ''] = request.url.split('?');
    const handler = mock.handlers.find((one) => [method, 'any'].includes(one.method) && one.path.test(url));
    return handler?.resolver({ request });
  };
  const send = async ({ method, path, headers, body }: HttpRequest): Promise<Response> => {
    const all = Object.entries({ Authorization: 'Bearer test-key', ...headers });
    const given = all.filter((header): header is [string, string] => header[1] !== undefined);
    const response = await ask(method, path, {
      headers: given,
      ...(body !== undefined && { body: String(body) }),
    });
    if (response === undefined) throw new Error(`No handler answers ${path}.`);
    return response;
  };
  return { mock, ask, send };
}
