import * as store from '../app/store.ts';
import { printGet } from '../lib/print-request.ts';
import { Code, html, type View } from '../parts/parts.ts';

export function SetUp(): View {
  const recorded = html`Requests of your app appear in <a href="#/requests">Requests</a>.`;
  const isChecked = store.appUrl.value !== store.baseUrl.value;
  return html`<div class="page">
    <h2>Point your app at the ${store.serverName}</h2>
    <p>${store.journalRefusal.value === '' ? recorded : html`Requests are not shown. ${store.journalRefusal}`}</p>
    ${isChecked && html`<${Code} label="Checked base URL: violations of the contract appear in the console" text=${store.appUrl.value} />`}
    <${Code} label=${isChecked ? 'Base URL without checks' : 'Base URL'} text=${store.baseUrl.value} />
    <${Code} label="Send a request" text=${printGet('/pets?limit=2')} />
  </div>`;
}
