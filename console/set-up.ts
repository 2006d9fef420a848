import { baseUrl, session, state, usualKey } from './data.ts';
import { html, type View } from './html.ts';
import { recall } from './memory.ts';
import { Code, Field } from './parts.ts';
import { printGet } from './print-request.ts';

const withVitest = [
  "import { startMock } from 'animal-store-mock';",
  "import { afterAll, beforeEach } from 'vitest';",
  '',
  "const mock = await startMock({ port: 0, log: 'silent' });",
  'beforeEach(() => mock.reset());',
  'afterAll(() => mock.close());',
  '// mock.url is the base URL',
].join('\n');

/** The lines that every app needs, and the key in them. */
export function FirstLines({ label }: { readonly label: string }): View {
  const key = recall('key', usualKey);
  return html`<${Code} label="Base URL" text=${baseUrl} />
    <div class="fields"><${Field} name="key" label=${label} otherwise=${usualKey} /></div>
    <${Code} label="Shell" text=${printGet('/pets?limit=2')} />
    <${Code} label="fetch" text=${`const response = await fetch(${JSON.stringify(`${baseUrl}/pets?limit=2`)}, {
  headers: { Authorization: ${JSON.stringify(`Bearer ${key}`)} },
});
const animals = await response.json();`} />`;
}

/** How an app and its tests are pointed at the mock: lines to copy. */
export function SetUp(): View {
  const { origin } = location;
  const path = session === undefined ? '' : `/sessions/${session}`;
  return html`<div class="page">
    <h2>Point your app at the mock</h2>
    <p>${state.journalRefusal === '' ? html`What it sends then stands in <a href="#/requests">Requests</a>, as it comes.` : html`What it sends is not shown, and this page stays where it is: ${state.journalRefusal}`}</p>
    <${FirstLines} label="API key, for the lines below and to send again" />
    <${Code} label="Vite: the app calls /v1, of its own origin" text=${`// vite.config.js
export default {
  server: { proxy: { '/v1': ${path === '' ? `'${origin}'` : `{ target: '${origin}', rewrite: (path) => '${path}' + path }`} } },
};`} />
    <${Code} label="Playwright: starts the mock" text=${`// playwright.config.js
export default {
  webServer: {
    command: 'npx animal-store-mock --port ${location.port}',
    url: '${origin}/health',
    reuseExistingServer: true,
  },
};`} />
    <${Code} label="Vitest: a mock for each file" text=${withVitest} />
  </div>`;
}
