import { Component } from 'preact';
import { ask, readMessage } from './ask.ts';
import { BrokenRule } from './broken-rule.ts';
import { isProxy, type Row, recall, usualKey, type Violation } from './data.ts';
import { html, type View } from './html.ts';
import { findJsonParts, formatJson } from './json-text.ts';
import { attempt, tell } from './notice.ts';
import { Code, Copy, Field, Status, shown, Time } from './parts.ts';
import { isCut, printAsCurl, printAsFetch, toRequest } from './print-request.ts';
import { closeOpen, type Route, toHash } from './route.ts';

/** Lines of a body that are shown at first. */
const MOST_LINES = 40;

/** All of a request, with what was wrong in it, and what can be done with it. */
export function RequestDetail({ row, route }: { readonly row: Row; readonly route: Route }): View {
  const { id, method, url, operation, time, ms, error, headers, body, answer, violations = [] } = row;
  const isSaid = violations.some(
    ({ place, severity }) => severity === 'error' && place.startsWith('request'),
  );
  const message = (row.status ?? 0) < 400 || isSaid ? undefined : readMessage(answer?.body ?? '');
  const key = recall('key', usualKey);
  const isBodyCut = body !== undefined && isCut(body, headers['content-length']);
  const beginning = isBodyCut ? ', with the beginning of its body alone' : '';
  const answered = answer?.body;
  const isAnswerCut = answered !== undefined && isCut(answered, findHeader(answer, 'content-length'));
  const [, path, query] = /^([^?]*)(.*)$/s.exec(url) ?? [];
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
    ${message && html`<p class="said">${shown(message)}</p>`}
    ${
      violations.length > 0 &&
      html`<h3 class="fail">✗ ${violations.length} ${violations.length === 1 ? 'violation' : 'violations'} of the contract</h3>
      <ul class="violations">${violations.map(
        (one) =>
          html`<li class=${one.severity === 'error' ? 'fail' : 'warn'}><code>${shown(describePlace(one))}</code> <span class="muted">${one.rule}</span><br />${shown(one.message)}<${BrokenRule} violation=${one} /></li>`,
      )}</ul>`
    }
    <div class="actions">
      <button type="button" disabled=${isBodyCut} onClick=${() => sendAgain(row, key)}>Send again${isBodyCut && ': not all of it is here'}</button>
      ${!isProxy && html`<button type="button" onClick=${() => failNext(row)}>Fail the next ${shown(nameOf(row))}</button>`}
      <${Field} name="key" label="Key" otherwise=${usualKey} size="12" />
    </div>
    ${again?.id === id && html`<h3>Sent again</h3><${Body} text=${again.text} label=${`Answer ${again.status}`} violations=${[]} side="response" />`}
    ${body !== undefined && html`<h3>Body</h3><${Body} text=${body} label=${labelOf(headers['content-type'], isBodyCut)} violations=${violations} side="request" />`}
    ${answered !== undefined && html`<h3>Answer</h3><${Body} text=${answered} label=${labelOf(findHeader(answer, 'content-type'), isAnswerCut)} violations=${violations} side="response" />`}
    <${Headers} label="Headers" headers=${headers} />
    ${answer && html`<${Headers} label="Headers of the answer" headers=${answer.headers} />`}
    <h3>To send it yourself</h3>
    <${Code} label=${`curl${beginning}`} text=${printAsCurl(row, key)} />
    <${Code} label=${`fetch${beginning}`} text=${printAsFetch(row, key)} />`;
}

function close(event: Event): void {
  event.preventDefault();
  closeOpen();
}

const sides: Readonly<Record<string, string>> = { request: 'the request', response: 'the answer' };
const parts: Readonly<Record<string, string>> = { query: 'query parameter', path: 'path parameter' };

/** Where a violation is, such as "createPet: body of the request, at name". */
function describePlace({ operation, method, place }: Violation): string {
  const [side = '', part = '', ...rest] = place.split('.');
  const name = rest.join('.');
  const what = `${parts[part] ?? part}${name === '' || part === 'body' ? '' : ` ${name}`}`;
  const at = name !== '' && part === 'body' ? `, at ${name}` : '';
  return `${operation ?? method}: ${what}${what && ' of '}${sides[side] ?? side}${at}`;
}

function Headers({ label, headers }: { readonly label: string; readonly headers: Row['headers'] }): View {
  return html`<details><summary>${label}</summary><table class="headers"><tbody>${Object.entries(headers).map(
    ([name, value]) =>
      html`<tr><th scope="row"><code title=${shown(name)}>${shown(name)}</code></th><td><code>${shown(value)}</code></td></tr>`,
  )}</tbody></table></details>`;
}

/** The value of a header of an answer, in whatever case that has its name. */
function findHeader(answer: Row['answer'], wanted: string): string | undefined {
  return Object.entries(answer?.headers ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function labelOf(type = 'no Content-Type', isBeginning: boolean): string {
  return type + (isBeginning ? ', cut: the journal keeps its beginning' : '');
}

/** Parts of the query that a violation is about are marked. */
function markQuery(query: string, violations: readonly Violation[]): View {
  const names = violations.flatMap(({ place }) => /^request\.query\.([^.]+)/.exec(place)?.[1] ?? []);
  return query.split(/(?<=[?&])|(?=&)/).map((part) => {
    const name = part.split('=')[0] ?? '';
    return names.includes(name) ? html`<mark>${shown(part)}</mark>` : shown(part);
  });
}

interface BodyProps {
  readonly text: string;
  readonly label: string;
  readonly violations: readonly Violation[];
  readonly side: 'request' | 'response';
}

/** A body as it came, or formatted; the members that a violation is about are marked. */
class Body extends Component<BodyProps, { isFormatted?: boolean; isWhole?: boolean }> {
  override render({ text, label, violations, side }: BodyProps): View {
    const formatted = formatJson(text);
    const { isFormatted = false, isWhole = false } = this.state;
    const lines = (isFormatted ? (formatted ?? text) : text).split('\n');
    const seen = isWhole ? lines : lines.slice(0, MOST_LINES);
    return html`<div class="code">
      <p><span>${shown(label)}, ${(new Blob([text]).size / 1_000).toLocaleString(undefined, { maximumSignificantDigits: 3 })} kB</span><span class="side">
        ${formatted !== undefined && html`<button type="button" aria-pressed=${String(isFormatted)} onClick=${() => this.setState({ isFormatted: !isFormatted })}>Format</button>`}
        <${Copy} text=${text} /></span></p>
      <pre>${markPlaces(seen.join('\n'), side, violations)}</pre>
      ${lines.length > seen.length && html`<button type="button" onClick=${() => this.setState({ isWhole: true })}>${lines.length - seen.length} more lines</button>`}
    </div>`;
  }
}

/** The places of a body that a violation is about are marked, each with its rule. */
function markPlaces(text: string, side: BodyProps['side'], violations: readonly Violation[]): View {
  const rules = new Map(violations.map(({ place, rule }) => [place, rule]));
  if (![...rules.keys()].some((place) => place.startsWith(`${side}.body`))) return shown(text);
  const shownParts: View[] = [];
  let end = 0;
  for (const part of findJsonParts(text)) {
    const place = `${side}.body${part.path}`;
    const rule = rules.get(place) ?? rules.get(place.replaceAll(/\.\d+(?=\.|$)/g, '.*'));
    if (rule === undefined) continue;
    shownParts.push(
      shown(text.slice(end, part.start)),
      html`<mark data-rule=${rule}>${shown(text.slice(part.start, part.end))}</mark>`,
    );
    end = part.end;
  }
  return [...shownParts, shown(text.slice(end))];
}

/** What was answered when a request was sent again. */
let again: { readonly id: number; readonly status: number; readonly text: string } | undefined;

async function sendAgain(row: Row, key: string): Promise<void> {
  const { url, body, ...init } = toRequest(row, key);
  // A browser sends no body with these.
  const sent = body === undefined || /^(?:GET|HEAD)$/.test(init.method) ? init : { ...init, body };
  await attempt(async () => {
    const response = await fetch(url, { ...sent, credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(
      () => {
        throw new Error('It was not answered, or a browser cannot send it. The line for curl can.');
      },
    );
    again = { id: row.id, status: response.status, text: await response.text() };
    tell({ text: `Sent again: ${response.status}` });
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
