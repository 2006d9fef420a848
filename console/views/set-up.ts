import { quoteForShell } from '../../common/text/print-curl.ts';
import { base, baseUrl, isProxy, journalRefusal, server, usualKey } from '../app/store.ts';
import { printGet, readKey } from '../lib/print-request.ts';
import { Code, Field, html, type View } from '../parts/parts.ts';

const withVitest = [
  "import { startMock } from 'animal-store-mock';",
  "import { afterAll, beforeEach } from 'vitest';",
  '',
  "const mock = await startMock({ port: 0, log: 'silent' });",
  'beforeEach(() => mock.reset());',
  'afterAll(() => mock.close());',
  '// mock.url is the base URL',
].join('\n');

/** Lines to copy that point an app and its tests at the server. */
export function SetUp(): View {
  return html`<div class="page"><${isProxy ? ProxyLines : MockLines} /></div>`;
}

function MockLines(): View {
  const { origin, port } = location;
  const vite =
    base === '/'
      ? `'${origin}'`
      : `{ target: '${origin}', rewrite: (path) => '${base.slice(0, -1)}' + path }`;
  return html`<h2>Point your app at the mock</h2>
    <p>${journalRefusal.value === '' ? html`Its requests appear in <a href="#/requests">Requests</a>.` : html`Its requests are not shown: ${journalRefusal}`}</p>
    <${FirstLines} label="API key, for the lines below" />
    <${Code} label="Vite: the app calls /v1 on its own origin" text=${`// vite.config.js
export default {
  server: { proxy: { '/v1': ${vite} } },
};`} />
    <${Code} label="Playwright: starts the mock" text=${`// playwright.config.js
export default {
  webServer: {
    command: 'npx animal-store-mock --port ${port}',
    url: '${origin}/health',
    reuseExistingServer: true,
  },
};`} />
    <${Code} label="Vitest: a mock for each file" text=${withVitest} />
    <${VerifyCommand} url=${baseUrl.value} />`;
}

function ProxyLines(): View {
  const { upstream = '' } = server.value ?? {};
  return html`<h2>Point your app at the proxy</h2>
    <p>The proxy forwards requests to <code>${upstream}</code> unchanged. <a href="#/requests">Requests</a> shows them with their violations of the contract.</p>
    <${FirstLines} label="API key of the deployment, for the lines below; it stays in this tab" />
    <${Code} label="In CI: the tests fail at a violation of the contract" text=${`npx animal-store-proxy ${quoteForShell(upstream)} --fail-on error -- npm test`} />
    <${Code} label="In a test" text=${`import { startCheckedProxy } from 'animal-store-proxy';

const proxy = await startCheckedProxy({ upstream: ${JSON.stringify(upstream)}, port: 0 });
// proxy.url is the base URL
const { violations } = proxy.readFindings();
await proxy.close();`} />
    <${VerifyCommand} url=${upstream} />`;
}

function FirstLines({ label }: { readonly label: string }): View {
  return html`<${Code} label="Base URL" text=${baseUrl.value} />
    <div class="fields"><${Field} name="key" label=${label} initial=${usualKey.value} /></div>
    <${Code} label="Shell" text=${printGet('/pets?limit=2')} />
    <${Code} label="fetch" text=${`const response = await fetch(${JSON.stringify(`${baseUrl.value}/pets?limit=2`)}, {
  headers: { Authorization: ${JSON.stringify(`Bearer ${readKey()}`)} },
});
const animals = await response.json();`} />`;
}

function VerifyCommand({ url }: { readonly url: string }): View {
  return html`<${Code} label="Contract suite: opens a report in the browser" text=${`ANIMAL_STORE_API_KEY=${quoteForShell(readKey())} npx animal-store-verify ${quoteForShell(url)} --open`} />`;
}
