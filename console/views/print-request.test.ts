import { expect, onTestFinished, test, vi } from 'vitest';

test('a request that is sent again has its own headers and another key, and no coding that its body has lost', async () => {
  vi.stubGlobal('location', new URL('http://127.0.0.1:4010/'));
  vi.stubGlobal('sessionStorage', {});
  onTestFinished(() => void vi.unstubAllGlobals());
  // Not as a literal, since Node.js has not the types of a page.
  const file = './print-request.ts';
  const { listSentHeaders } = await import(file);
  const own = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const headers = { host: 'a.test', 'sec-fetch-mode': 'cors', accept: '*/*', authorization: '[key]', ...own };
  const sent = { authorization: 'Bearer other', 'content-type': 'application/json' };
  expect(Object.fromEntries(listSentHeaders({ headers, bodyState: 'decoded' }, 'other'))).toEqual(sent);
  expect(Object.fromEntries(listSentHeaders({ headers }, 'other'))).toEqual({ ...sent, ...own });
});
