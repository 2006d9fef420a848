import { type BrowserMockOptions, createBrowserMock } from '../browser/create-browser-mock.ts';

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/**
 * Creates a mock of a page without MSW, and without animals unless the options have some. `ask` gives a request to the first
 * handler that matches.
 */
export function createPageMock(options: BrowserMockOptions, origin = '*') {
  const keep = (method: string) => (path: RegExp, resolver: Resolver) => ({ method, path, resolver });
  const http = { get: keep('GET'), head: keep('HEAD'), post: keep('POST'), all: keep('any') };
  const mock = createBrowserMock(http, { data: [], ...options }, origin);
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
    const request = new Request(`https://api.example${path}`, { method, headers, ...init });
    // MSW compares the URL without its query.
    const [url = ''] = request.url.split('?');
    const handler = mock.handlers.find((one) => [method, 'any'].includes(one.method) && one.path.test(url));
    return handler?.resolver({ request });
  };
  return { mock, ask };
}
