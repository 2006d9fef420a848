import { ask, readMessage } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { toClosed } from '../app/route.ts';
import { isProxy, type Row, uncheckedTo, usualKey, type Violation, violations } from '../app/store.ts';
import { printAsCurl, printAsFetch } from '../lib/print-request.ts';
import { Body } from '../parts/body.ts';
import { Code, describeCount, Field, html, Status, shown, Time, type View } from '../parts/parts.ts';

export function RequestDetail({ row }: { readonly row: Row }): View {
  const { id, method, url, operation, time, ms, error, headers, answer } = row;
  const found = violations.value.get(id) ?? [];
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  const message = findMessage(row, found);
  const failNext = () => attempt(() => ask('POST', 'faults', { operation, status: 500, times: 1 }));
  const body = (heading: string, side: string, message: Pick<Row, 'body' | 'bodyState'>) =>
    (message.body !== undefined || message.bodyState !== undefined) &&
    html`<h3>${heading}</h3><${Body} message=${message} side=${side} violations=${found} />`;
  return html`
    <header class="detail-head">
      <h2><code>${method} ${shown(path)}${markQuery(query, found)}</code></h2>
      <a class="close" href=${toClosed()} aria-label="Close" title="Close (Escape)">✕</a>
    </header>
    <dl class="facts">
      <div><dt>Response</dt><dd><${Status} row=${row} /> ${error}</dd></div>
      <div><dt>Operation</dt><dd>${operation ?? 'none'}</dd></div>
      <div><dt>Duration</dt><dd>${ms} ms</dd></div>
      <div><dt>Received</dt><dd><${Time} time=${time} /></dd></div>
    </dl>
    ${message && html`<p class="said">${shown(message)}</p>`}
    ${listViolations(id, found)}
    <div class="actions">
      ${!isProxy && operation && html`<button type="button" onClick=${failNext}>Fail the next ${operation}</button>`}
      <${Field} name="key" label="Key" initial=${usualKey.value} size="12" />
    </div>
    ${body('Body', 'request', row)}
    ${answer && body(answer.status === undefined ? 'Response' : 'Response of the upstream', 'response', answer)}
    <${Headers} label="Headers" headers=${headers} />
    ${answer && html`<${Headers} label="Headers of the response" headers=${answer.headers} />`}
    <${Lines} row=${row} />`;
}

/** Lists each rule and place once, errors first. */
function listViolations(id: number, violations: readonly Violation[]): View {
  if (violations.length === 0)
    return (
      id < uncheckedTo.value &&
      html`<p class="muted">? The violations of this request are no longer kept.</p>`
    );
  const { error = [], warning = [] } = Object.groupBy(violations, ({ severity }) => severity);
  const groups = Map.groupBy(
    [...error, ...warning],
    ({ severity, place, rule }) => `${severity} ${place} ${rule}`,
  );
  const counts = [
    error.length > 0 && `${describeCount(error.length, 'violation')} of the contract`,
    warning.length > 0 && describeCount(warning.length, 'warning'),
  ];
  const rules = [...groups.values()].map(
    ([first, ...others]) => first && printRule(first, others.length + 1),
  );
  return html`<h3 class=${error.length ? 'fail' : 'warn'}>${error.length ? '✗' : '!'} ${counts.filter(Boolean).join(', ')}</h3>
    <ul class="violations">${rules}</ul>`;
}

function printRule(violation: Violation, count: number): View {
  const { place, rule, message } = violation;
  return html`<li class=${isError(violation) ? 'fail' : 'warn'}>
    <code>${shown(place)}</code> <span class="muted">${rule}${count > 1 && ` — ${count} times`}</span><br />${shown(message)}</li>`;
}

export function isError({ severity }: Violation): boolean {
  return severity === 'error';
}

/** Returns the response in words, unless a violation reports the same. */
function findMessage({ status = 0, error, answer }: Row, found: readonly Violation[]): string | undefined {
  if (answer?.status !== undefined)
    return `The upstream answered ${answer.status}; the client got ${status} (${error}).`;
  const isReported = found.some((one) => isError(one) && one.place.startsWith('request'));
  return status < 400 || isReported ? undefined : readMessage(answer?.body ?? '');
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
  const isHidden = /\[key\]|=\*{3}/.test(curl);
  const hint = isHidden ? ' — put in the hidden key' : '';
  const isWhole = row.bodyState === undefined;
  return html`<h3>To send it again</h3>
    <${Code} label=${`curl${isWhole ? hint : ' — put the body into the file "body"'}`} text=${curl} />
    ${isWhole && html`<${Code} label=${`fetch${hint}`} text=${printAsFetch(row)} />`}`;
}
