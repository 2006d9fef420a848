import { quoteForShell } from '../../common/text/print-curl.ts';
import * as store from '../app/store.ts';
import { printGet, readKey } from '../lib/print-request.ts';
import { Code, Field, Guide, html, type View } from '../parts/parts.ts';

const SUITE =
  'Contract suite, of the package animal-store-contract-tests: checks the deployment and opens a report';

export function SetUp(): View {
  const { upstream = store.baseUrl.value } = store.server.value ?? {};
  const key = readKey();
  const recorded = html`Requests of your app appear in <a href="#/requests">Requests</a>.`;
  const isChecked = store.appUrl.value !== store.baseUrl.value;
  return html`<div class="page columns">
    <section>
    <h2>Point your app at the ${store.serverName}</h2>
    <p>${store.isProxy && html`The proxy forwards requests to <code>${upstream}</code> unchanged. `}
      ${store.journalRefusal.value === '' ? recorded : html`Requests are not shown. ${store.journalRefusal}`}</p>
    ${isChecked && html`<${Code} label="Checked base URL: violations of the contract appear in the console" text=${store.appUrl.value} />`}
    <${Code} label=${isChecked ? 'Base URL without checks' : 'Base URL'} text=${store.baseUrl.value} />
    <div class="fields"><${Field} name="key" label="API key for these examples, kept in this tab" initial=${store.usualKey.value} /></div>
    </section>
    <section>
    <h2>Send a request</h2>
    <${Code} label="Shell" text=${printGet('/pets?limit=2')} />
    <${Code} label="fetch" text=${printFetch(key)} />
    </section>
    <section>
    <h2>Use it in a project</h2>
    ${store.isProxy && html`<${Code} label="CI: tests fail if an exchange violates the contract" text=${printGate(upstream)} />`}
    ${!store.isProxy && html`<${Code} label="Vite: the app sends requests to /v1 on its own origin" text=${printViteConfig()} />`}
    <${Code} label=${SUITE} text=${printVerify(key, upstream)} />
    <p><${Guide} /></p>
    </section>
  </div>`;
}

function printFetch(key: string): string {
  return `const response = await fetch(${JSON.stringify(`${store.appUrl.value}/pets?limit=2`)}, {
  headers: { Authorization: ${JSON.stringify(`Bearer ${key}`)} },
});
const animals = await response.json();`;
}

function printGate(upstream: string): string {
  return `${store.printCommand('proxy')} ${quoteForShell(upstream)} --fail-on error -- npm test`;
}

function printVerify(key: string, upstream: string): string {
  const variable = `ANIMAL_STORE_API_KEY=${quoteForShell(key)}`;
  return `${variable} ${store.printCommand('verify')} ${quoteForShell(upstream)} --reporter html=report.html`;
}

function printViteConfig(): string {
  const rewrite = `(path) => '${store.base.slice(0, -1)}' + path`;
  const { origin } = new URL(store.appUrl.value);
  const target = store.base === '/' ? `'${origin}'` : `{ target: '${origin}', rewrite: ${rewrite} }`;
  return `// vite.config.js
export default { server: { proxy: { '/v1': ${target} } } };`;
}
