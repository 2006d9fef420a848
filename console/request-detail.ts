import { ask, readMessage } from './ask.ts';
import { Body, NotKept } from './body.ts';
import { isProxy, type Row, usualKey, type Violation } from './data.ts';
import { isError } from './found.ts';
import { html, type View } from './html.ts';
import { attempt, tell } from './notice.ts';
import { Field, Status, shown, Time } from './parts.ts';
import { closeOpen, type Route, toHash } from './route.ts';
import { SendAgain, SendLines, SentAgain } from './send-again.ts';
import { ViolationList } from './violation-list.ts';

/** All of a request, with what was wrong in it, and what can be done with it. */
export function RequestDetail({ row, route }: { readonly row: Row; readonly route: Route }): View {
  const { method, url, operation, time, ms, error, headers, body, answer, violations = [] } = row;
  const [, path, query] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  const said = findSaid(row);
  return html`
    <header class="detail-head">
      <h2><code>${method} ${shown(path ?? '')}${markQuery(query ?? '', violations)}</code></h2>
      <a class="close" href=${toHash({ ...route, id: '' })} onClick=${close} aria-label="Close" title="Close (Escape)">✕</a>
    </header>
    <dl class="facts">
      <div><dt>Answer</dt><dd><${Status} row=${row} /> ${error}</dd></div>
      <div><dt>Operation</dt><dd>${operation ?? 'none'}</dd></div>
      <div><dt>Took</dt><dd>${ms} ms</dd></div>
      <div><dt>Came</dt><dd><${Time} time=${time} /> <span class="muted">${new Date(time).toLocaleTimeString()}</span></dd></div>
    </dl>
    ${said && html`<p class="said">${shown(said)}</p>`}
    <${ViolationList} row=${row} />
    <div class="actions">
      <${SendAgain} row=${row} />
      ${!isProxy && html`<button type="button" onClick=${() => failNext(row)}>Fail the next ${shown(nameOf(row))}</button>`}
      <${Field} name="key" label="Key" otherwise=${usualKey} size="12" />
    </div>
    <${SentAgain} row=${row} />
    ${(body !== undefined || row.bodyState) && html`<h3>Body</h3>`}
    ${body !== undefined && html`<${Body} text=${body} label=${headers['content-type'] ?? noType} bodyState=${row.bodyState} violations=${violations} side="request" />`}
    ${body === undefined && row.bodyState && html`<${NotKept} row=${row} side="request" />`}
    ${(answer?.body !== undefined || answer?.bodyState) && html`<h3>Answer${answer.status !== undefined && ' of the upstream'}</h3>`}
    ${answer?.body !== undefined && html`<${Body} text=${answer.body} label=${findType(answer) ?? noType} bodyState=${answer.bodyState} violations=${violations} side="response" />`}
    ${answer?.body === undefined && answer?.bodyState && html`<${NotKept} row=${row} side="response" />`}
    <${Headers} label="Headers" headers=${headers} />
    ${answer && html`<${Headers} label="Headers of the answer" headers=${answer.headers} />`}
    <${SendLines} row=${row} />`;
}

const noType = 'no Content-Type';

/** The Content-Type of an answer, in whatever case that has its name. */
function findType({ headers }: NonNullable<Row['answer']>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
}

/** What the answer says in words, where a violation does not say it. */
function findSaid({ status = 0, error, answer, violations = [] }: Row): string | undefined {
  if (answer?.status !== undefined)
    return `The upstream answered ${answer.status}; the client got ${status} (${error}).`;
  const isSaid = violations.some((one) => isError(one) && one.place.startsWith('request'));
  return status < 400 || isSaid ? undefined : readMessage(answer?.body ?? '');
}

function close(event: Event): void {
  event.preventDefault();
  closeOpen();
}

function Headers({ label, headers }: { readonly label: string; readonly headers: Row['headers'] }): View {
  return html`<details><summary>${label}</summary><table class="headers"><tbody>${Object.entries(headers).map(
    ([name, value]) =>
      html`<tr><th scope="row"><code title=${shown(name)}>${shown(name)}</code></th><td><code>${shown(value)}</code></td></tr>`,
  )}</tbody></table></details>`;
}

/** Parts of the query that a violation is about are marked. */
function markQuery(query: string, violations: readonly Violation[]): View {
  return query.split(/(?<=[?&])|(?=&)/).map((part) => {
    const place = `request.query.${part.split('=')[0]}`;
    const here = violations.filter((one) => one.place === place || one.place.startsWith(`${place}.`));
    if (here.length === 0) return shown(part);
    return html`<mark class=${here.some(isError) ? '' : 'is-warn'}>${shown(part)}</mark>`;
  });
}

/** The operation, or the method and path, of which the next request can be made to fail. */
function nameOf({ operation, method, url }: Row): string {
  return operation ?? `${method} ${toPath(url)}`;
}

function toPath(url: string): string {
  return url.replace(/\?.*$/s, '').replace(/^(?![/*])/, '/');
}

function failNext(row: Row): Promise<boolean> {
  const { operation, method, url } = row;
  const which = operation === undefined ? { method, path: toPath(url) } : { operation };
  return attempt(async () => {
    await ask('POST', 'faults', { ...which, status: 500, times: 1 });
    tell({ text: `The next ${nameOf(row)} is answered with a 500` });
  });
}
