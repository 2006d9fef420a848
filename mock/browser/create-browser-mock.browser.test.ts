import { expect, inject } from 'vitest';
import { inBrowser } from '../../tools/testing/browser.ts';
import { expectAnswer, type HttpCase } from '../../tools/testing/http-case.ts';
import { behaviourCases } from '../testing/cases/behaviour-cases.ts';
import { crossCuttingCases } from '../testing/cases/cross-cutting-cases.ts';
import { getPetCases } from '../testing/cases/get-pet-cases.ts';
import { listPetsCases } from '../testing/cases/list-pets-cases.ts';
import { postCases } from '../testing/cases/post-cases.ts';
import { openWorkerPage } from '../testing/open-worker-page.ts';
import { buildBrowserMock } from './build-browser-mock.ts';

/** Headers that a page cannot set, and a coding that only the server decodes. */
const ofServer =
  /^(?:host|connection|content-length|transfer-encoding|expect|origin|access-control-request-.*|content-encoding)$/i;

/** Returns whether a page can send the request of a case, and the handlers get it. */
function isOfPage({ request: { method, path, headers = {}, body } }: HttpCase): boolean {
  const isSent = method !== 'TRACE' && !(body !== undefined && /^(?:GET|HEAD)$/.test(method));
  const isOurs = /^\/(?:v1(?:[/?]|$)|messages(?:\?|$))/.test(new URL(path, 'http://page').pathname);
  // The path of a URL has no dot segments and no raw characters.
  const isUnchanged = new URL(path, 'http://page').href === `http://page${path}`;
  return isSent && isOurs && isUnchanged && !Object.keys(headers).some((name) => ofServer.test(name));
}

inBrowser('in a page with MSW the mock answers the table of HTTP cases', { timeout: 120_000 }, async () => {
  const page = await openWorkerPage();
  const all = [listPetsCases, postCases, getPetCases, crossCuttingCases, behaviourCases].flat();
  const cases = all.filter(isOfPage);
  expect(cases.length).toBeGreaterThan(all.length * 0.9);
  const tried = cases.filter((_, index) => index % inject('everyOther') === 0);
  for (const { request, options = {}, answer } of tried) {
    const { method, path, body } = request;
    const headers = { Authorization: 'Bearer test-key', ...request.headers };
    const bytes = body === undefined ? [] : [[...Buffer.from(body)]];
    const sent = JSON.stringify([method, path, headers, ...bytes]);
    const configure = `mock.reset(), mock.configure(${JSON.stringify(options)})`;
    expectAnswer((await page.evaluate(`${configure}, ask(${sent})`)) as never, method, answer);
  }
});

inBrowser('a page follows the redirect of a path with a slash', async () => {
  const page = await openWorkerPage();
  await page.evaluate(`mock.configure({ behaviour: { trailingSlash: 'redirect' } })`);
  const list = `ask(['GET', '/v1/pets/?limit=2', { Authorization: 'Bearer test-key' }]).then(({ text }) => text)`;
  expect(JSON.parse(await page.evaluate<string>(list))).toHaveLength(2);
  expect(await page.evaluate('mock.requests().map(({ status }) => status)')).toEqual([307, 200]);
});

inBrowser(
  'the file of the package has no module of Node and no generator, and less than 110 kB',
  async () => {
    const { output } = await buildBrowserMock({ write: false });
    const [{ code, imports, dynamicImports, moduleIds }, ...others] = output;
    expect([imports, dynamicImports, others]).toEqual([[], [], []]);
    expect(moduleIds.filter((id) => /faker|node:/.test(id))).toEqual([]);
    expect(Buffer.byteLength(code)).toBeLessThan(110_000);
  },
);
