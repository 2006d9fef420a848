import { quoteForShell } from '../../common/text/print-curl.ts';
import { base, baseUrl, isProxy, journalRefusal, server, serverName, usualKey } from '../app/store.ts';
import { printGet, readKey } from '../lib/print-request.ts';
import { Code, Field, html, type View } from '../parts/parts.ts';

export function SetUp(): View {
  const { upstream = baseUrl.value } = server.value ?? {};
  const key = readKey();
  return html`<div class="page">
    <h2>Point your app at the ${serverName}</h2>
    <p>${isProxy && html`The proxy forwards requests to <code>${upstream}</code> unchanged. `}
      ${journalRefusal.value === '' ? html`Its requests appear in <a href="#/requests">Requests</a>.` : html`Its requests are not shown: ${journalRefusal}`}</p>
    <${Code} label="Base URL" text=${baseUrl.value} />
    <div class="fields"><${Field} name="key" label="API key, for the lines below; it stays in this tab" initial=${usualKey.value} /></div>
    <${Code} label="Shell" text=${printGet('/pets?limit=2')} />
    <${Code} label="fetch" text=${`const response = await fetch(${JSON.stringify(`${baseUrl.value}/pets?limit=2`)}, {
  headers: { Authorization: ${JSON.stringify(`Bearer ${key}`)} },
});
const animals = await response.json();`} />
    ${
      isProxy
        ? html`<${Code} label="In CI: the tests fail at a violation of the contract" text=${`npx animal-store-proxy ${quoteForShell(upstream)} --fail-on error -- npm test`} />`
        : html`<${Code} label="Vite: the app calls /v1 on its own origin" text=${printViteConfig()} />`
    }
    <${Code} label="Contract suite: opens a report in the browser" text=${`ANIMAL_STORE_API_KEY=${quoteForShell(key)} npx animal-store-verify ${quoteForShell(upstream)} --open`} />
  </div>`;
}

function printViteConfig(): string {
  const rewrite = `(path) => '${base.slice(0, -1)}' + path`;
  const target =
    base === '/' ? `'${location.origin}'` : `{ target: '${location.origin}', rewrite: ${rewrite} }`;
  return `// vite.config.js
export default {
  server: { proxy: { '/v1': ${target} } },
};`;
}
