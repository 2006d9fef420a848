import { printDuration } from '../../common/text/print-duration.ts';
import { ask, readError } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { poll } from '../app/poll.ts';
import { route, toClosed, toHash } from '../app/route.ts';
import {
  appUrl,
  isChecked,
  isProxy,
  type Row,
  rows,
  server,
  usualKey,
  type Violation,
  violations,
} from '../app/store.ts';
import { isError } from '../parts/find-mark.ts';
import { Code, Copy, describeCount, Field, html, shown, Time, type View } from '../parts/parts.ts';
import { Status } from '../parts/status.ts';
import { Body } from './body.ts';
import { listSentHeaders, printAsCurl, readKey } from './print-request.ts';

export function RequestDetail({ row }: { readonly row: Row }): View {
  const { id, method, url, operation, time, ms, error, fault, hint, headers, key, answer } = row;
  const found = violations.value.get(id) ?? [];
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  return html`
    <header class="actions">
      <h2><code>${method} ${shown(path)}${markQuery(query, found)}</code></h2>
      <a href=${toClosed()} title="Close ( Escape )">Close</a>
    </header>
    <${Actions} row=${row} />
    <dl class="facts">
      <div><dt>Response</dt><dd><${Status} row=${row} found=${found} /> ${error}${fault !== undefined && html` <a class="tag warn" href="#/faults">fault ${fault}</a>`}</dd></div>
      <div><dt>Operation</dt><dd>${operation ?? 'none'}</dd></div>
      ${key !== undefined && html`<div><dt>API key</dt><dd>${key}</dd></div>`}
      <div><dt>Duration</dt><dd>${ms === undefined ? 'waiting' : printDuration(ms)}</dd></div>
      <div><dt>Received</dt><dd><${Time} time=${time} /></dd></div>
    </dl>
    <${Message} row=${row} />
    ${hint && html`<p class="warn">! ${shown(hint.charAt(0).toUpperCase() + hint.slice(1))}.</p>`}
    ${listViolations(found)}
    <${Unchecked} row=${row} />
    <${Body} heading="Request body" side="request" message=${row} violations=${found} />
    ${answer && html`<${Body} heading=${nameAnswer(answer)} side="response" message=${answer} violations=${found} />`}
    <${Headers} label="Request headers" headers=${headers} />
    ${answer && html`<${Headers} label="Response headers" headers=${answer.headers} />`}
    <${Lines} row=${row} />`;
}

/** What can be done with a request, each with its key. */
function Actions({ row }: { readonly row: Row }): View {
  const { operation, bodyState } = row;
  // A decoded body is whole too.
  const isWhole = bodyState === undefined || bodyState === 'decoded';
  const failNext = () => attempt(() => ask('POST', 'faults', { operation, status: 500, times: 1 }));
  // The contract leaves the request of the quickstart out.
  const hasContract = operation !== undefined && operation !== 'createMessage';
  return html`<p class="actions">
    ${isWhole && html`<button type="button" data-key="r" title="Send again ( r )" onClick=${() => sendAgain(row)}>Send again</button>`}
    <${Copy} text=${printAsCurl(row)} label="Copy as curl" data-key="c" title="Copy as curl ( c )" />
    ${!isProxy && operation && html`<button type="button" data-key="f" title="Fail the next ${operation} with 500 ( f )" onClick=${failNext}>Fail the next ${operation}</button>`}
    ${!isProxy && hasContract && html`<a data-key="d" title="Contract of ${operation} ( d )" href=${`docs#/animals/${operation}`}>Contract</a>`}
  </p>`;
}

/** Most polls until a request that was sent is in the list. */
const MOST_POLLS = 100;

/** Sends a request as it was received to the port that it was sent to, and opens the new one as soon as it is in the list. */
function sendAgain(row: Row): Promise<void> {
  const { method, url, body, isChecked } = row;
  const after = server.value?.lastRequest ?? 0;
  const from = location.hash;
  return attempt(async () => {
    const headers = Object.fromEntries(listSentHeaders(row, readKey()));
    await ask('POST', 'send', { method, url, headers, ...(body !== undefined && { body }), isChecked });
    for (let polls = 0; polls < MOST_POLLS && location.hash === from; polls += 1) {
      await poll();
      const sent = rows.value.find((one) => one.id > after && one.method === method && one.url === url);
      if (sent !== undefined) location.hash = toHash({ ...route.value, id: String(sent.id) });
    }
  });
}

/** The proxy keeps the upstream response, also if it sent another one. */
const nameAnswer = ({ status }: NonNullable<Row['answer']>): string =>
  status === undefined ? 'Response body' : 'Body of the upstream response';

/** Says that nobody has looked for violations, where a request without any would seem to be right. */
function Unchecked({ row }: { readonly row: Row }): View {
  const isMeant = isChecked.value && !row.isChecked;
  return (
    isMeant &&
    html`<p class="muted">Not checked. Send it to <code>${appUrl}</code> to see what breaks the contract.</p>`
  );
}

/** Lists each rule and place once, errors first. */
function listViolations(violations: readonly Violation[]): View {
  if (violations.length === 0) return undefined;
  const { error = [], warning = [] } = Object.groupBy(violations, ({ severity }) => severity);
  const groups = Map.groupBy([...error, ...warning], ({ place, rule }) => `${place} ${rule}`);
  const counts = [
    error.length > 0 && `${describeCount(error.length, 'violation')} of the contract`,
    warning.length > 0 && describeCount(warning.length, 'warning'),
  ];
  const rules = [...groups.values()].map(printRule);
  return html`<h3 class=${error.length ? 'fail' : 'warn'}>${error.length ? '✗' : '!'} ${counts.filter(Boolean).join(', ')}</h3>
    <ul class="violations">${rules}</ul>`;
}

function printRule([first, ...others]: readonly Violation[]): View {
  if (first === undefined) return undefined;
  const times = others.length > 0 && html` <span class="muted">${others.length + 1} times</span>`;
  return html`<li class=${isError(first) ? 'fail' : 'warn'}>${shown(first.message)}<br />
    <code>${shown(first.place)}</code> <code class="tag">${shown(first.rule)}</code>${printReceived(first)}${times}</li>`;
}

const printReceived = ({ received }: Violation): View =>
  received !== undefined && html` received <code>${shown(received)}</code>`;

/** Shows the error message of the response. */
function Message({ row: { status = 0, error, answer } }: { readonly row: Row }): View {
  const replaced = `The upstream answered ${answer?.status}. The client received ${status} (${error}).`;
  const message =
    answer?.status === undefined ? status >= 400 && readError(answer?.body ?? '').message : replaced;
  return message && html`<p class="said">${shown(message)}</p>`;
}

function Headers({ label, headers }: { readonly label: string; readonly headers: Row['headers'] }): View {
  return html`<details><summary>${label}</summary><table><tbody>${Object.entries(headers).map(
    ([name, value]) =>
      html`<tr><th scope="row"><code title=${shown(name)}>${shown(name)}</code></th><td><code>${shown(value)}</code></td></tr>`,
  )}</tbody></table></details>`;
}

function markQuery(query: string, found: readonly Violation[]): View {
  return query.split(/(?<=[?&])|(?=&)/).map((part) => {
    const place = `request.query.${part.split('=')[0]}`;
    const here = found.filter((one) => one.place === place || one.place.startsWith(`${place}.`));
    if (here.length === 0) return shown(part);
    return html`<mark class=${here.some(isError) ? '' : 'warn'}>${shown(part)}</mark>`;
  });
}

function Lines({ row }: { readonly row: Row }): View {
  const curl = printAsCurl(row);
  const hint = /\[key\]|=\*{3}/.test(curl) ? ': insert the hidden key' : '';
  return html`<h3>Copy as</h3>
    <${Field} name="key" label="API key" initial=${usualKey.value} size="12" />
    <${Code} label=${`curl${row.bodyState === undefined ? hint : ': save the body as the file "body"'}`} text=${curl} />`;
}
