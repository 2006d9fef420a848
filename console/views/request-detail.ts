import { printDuration } from '../../common/text/print-duration.ts';
import { ask, readMessage } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { toClosed } from '../app/route.ts';
import { isProxy, type Row, usualKey, type Violation, violations } from '../app/store.ts';
import { describeViolation, isError } from '../lib/describe-violation.ts';
import { labelOperation } from '../lib/label-operation.ts';
import { printAsCurl, printAsFetch } from '../lib/print-request.ts';
import { Body } from '../parts/body.ts';
import { Code, Copy, describeCount, Field, html, shown, Time, type View } from '../parts/parts.ts';
import { Status } from '../parts/status.ts';
import { edit, isEditing, SendAgain } from './send-again.ts';

export function RequestDetail({ row }: { readonly row: Row }): View {
  const { id, method, url, operation, time, ms, error, fault, hint, headers, key, answer } = row;
  const found = violations.value.get(id) ?? [];
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  return html`
    <header class="detail-head">
      <h2><code>${method} ${shown(path)}${markQuery(query, found)}</code></h2>
      <a href=${toClosed()} title="Close ( Escape )">Close</a>
    </header>
    <${Actions} row=${row} />
    ${isEditing(String(id)) && html`<${SendAgain} key=${id} row=${row} />`}
    <dl class="facts">
      <div><dt>Response</dt><dd><${Status} row=${row} found=${found} /> ${error}${fault !== undefined && html` <a class="tag warn" href="#/faults">fault ${fault}</a>`}</dd></div>
      <div><dt>Operation</dt><dd>${operation === undefined ? 'none' : labelOperation(operation)}</dd></div>
      ${key !== undefined && html`<div><dt>API key</dt><dd>${key}</dd></div>`}
      <div><dt>Duration</dt><dd>${ms === undefined ? 'waiting' : printDuration(ms)}</dd></div>
      <div><dt>Received</dt><dd><${Time} time=${time} /></dd></div>
    </dl>
    <${Message} row=${row} />
    ${hint && html`<p class="warn">! ${shown(capitalize(hint))}.</p>`}
    ${listViolations(found)}
    <${Body} heading="Request body" side="request" message=${row} violations=${found} />
    ${answer && html`<${Body} heading=${nameAnswer(answer)} side="response" message=${answer} violations=${found} />`}
    <${Headers} label="Request headers" headers=${headers} />
    ${answer && html`<${Headers} label="Response headers" headers=${answer.headers} />`}
    ${!isEditing(String(id)) && html`<${Lines} row=${row} />`}`;
}

/** What can be done with a request, each with its key. */
function Actions({ row }: { readonly row: Row }): View {
  const { operation, bodyState } = row;
  const failNext = () => attempt(() => ask('POST', 'faults', { operation, status: 500, times: 1 }));
  const isWhole = bodyState === undefined;
  // The contract leaves the request of the quickstart out.
  const hasContract = operation !== undefined && operation !== 'createMessage';
  return html`<p class="actions">
    <button type="button" data-key="r" title="Send again, changed or not ( r )" onClick=${() => edit(row)}>Send again</button>
    <${Copy} text=${printAsCurl(row)} label="Copy as curl" of="curl" data-key="c" title="Copy as curl ( c )" />
    ${isWhole && html`<${Copy} text=${printAsFetch(row)} label="Copy as fetch" of="fetch" />`}
    ${!isProxy && operation && html`<button type="button" data-key="f" title="Fail the next ${labelOperation(operation)} with 500 ( f )" onClick=${failNext}>Fail the next ${labelOperation(operation)}</button>`}
    ${!isProxy && hasContract && html`<a class="button" data-key="d" title="Contract of ${operation} ( d )" href=${`docs#/animals/${operation}`}>Contract</a>`}
  </p>`;
}

const capitalize = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** The proxy keeps the upstream response, also if it sent another one. */
const nameAnswer = ({ status }: NonNullable<Row['answer']>): string =>
  status === undefined ? 'Response body' : 'Body of the upstream response';

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
  return html`<li class=${isError(first) ? 'fail' : 'warn'}>${shown(describeViolation(first))}<br />
    <code>${shown(first.place)}</code> <code class="tag">${shown(first.rule)}</code>${printReceived(first)}${times}</li>`;
}

const printReceived = ({ received }: Violation): View =>
  received !== undefined && html` received <code>${shown(received)}</code>`;

/** Shows the error message of the response. */
function Message({ row: { status = 0, error, answer } }: { readonly row: Row }): View {
  const replaced = `The upstream answered ${answer?.status}. The client received ${status} (${error}).`;
  const message = answer?.status === undefined ? status >= 400 && readMessage(answer?.body ?? '') : replaced;
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
  const isWhole = row.bodyState === undefined;
  return html`<h3>Copy as</h3>
    <${Field} name="key" label="API key" initial=${usualKey.value} size="12" />
    <${Code} label=${`curl${isWhole ? hint : ': save the body as the file "body"'}`} text=${curl} id="curl" />
    ${isWhole && html`<${Code} label=${`fetch${hint}`} text=${printAsFetch(row)} id="fetch" />`}`;
}
