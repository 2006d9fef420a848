import { effect } from '@preact/signals';
import { REDACTED } from '../../common/text/redact.ts';
import { ask } from '../app/ask.ts';
import { describe } from '../app/notices.ts';
import { route, toHash } from '../app/route.ts';
import type { Row } from '../app/store.ts';
import * as store from '../app/store.ts';
import { listSentHeaders, readKey } from '../lib/print-request.ts';
import { Field, html, shown, type View } from '../parts/parts.ts';

const draftFields = ['again.url', 'again.headers', 'again.body'] as const;

/** Returns whether the form for this request is open. */
export const isEditing = (id: string): boolean => id !== '' && store.recall('again') === id;

/** Opens the form with the request as it was received. */
export function edit(row: Row): void {
  const headers = listSentHeaders(row).map(([name, value]) => `${name}: ${value}`);
  store.remember('again.url', row.url);
  store.remember('again.headers', headers.join('\n'));
  store.remember('again.body', row.body ?? '');
  store.remember('again.problem', undefined);
  store.remember('again', String(row.id));
}

/** Closes the form, and forgets what was typed. */
export function stopEditing(): void {
  for (const name of ['again', 'again.problem', ...draftFields]) store.remember(name, undefined);
}

/** A form that sends a request again, changed or not, to the port that it was sent to. */
export function SendAgain({ row }: { readonly row: Row }): View {
  const headers = store.recall('again.headers');
  const isKeyRequired = headers.includes(REDACTED);
  const usualKey = store.usualKey.value === store.noKey ? '' : store.usualKey.value;
  const problem = store.recall('again.problem');
  const submit = () => send(row);
  const submitByKey = (event: KeyboardEvent) =>
    event.key === 'Enter' &&
    (event.ctrlKey || event.metaKey) &&
    (event.currentTarget as HTMLFormElement).requestSubmit();
  return html`<form class="again" aria-label="Send again" ref=${focusOnce} onSubmit=${submit} onKeyDown=${submitByKey}>
    <p class="muted">To <code>${store.rootOf(row).replace(/\/$/, '')}</code></p>
    <div class="fields"><strong><code>${row.method}</code></strong>
      <${Field} name="again.url" label="Path" required pattern="/.*" title="Begin with a slash, such as /v1/pets." /></div>
    <${Field} name="again.headers" label="Headers, one in a line" rows=${Math.max(2, headers.split('\n').length)} />
    ${isKeyRequired && html`<div class="fields"><${Field} name="key" label=${`API key, instead of ${REDACTED}`} initial=${usualKey} required /></div>`}
    <${Field} name="again.body" label=${`Body${describeLoss(row)}`} rows="6" />
    <div class="fields"><button class="primary" title="Send ( Enter in the path, Ctrl Enter elsewhere )">Send</button>
      <button type="button" onClick=${stopEditing}>Cancel</button></div>
    ${problem && html`<p class="fail" role="alert">✗ ${shown(problem)}</p>`}
  </form>`;
}

const describeLoss = ({ bodyState }: Row): string =>
  bodyState === undefined || bodyState === 'decoded'
    ? ''
    : '. The original was not kept whole, so complete it';

/** Focuses the path when the form appears. */
function focusOnce(form: HTMLFormElement | null): void {
  if (form !== null && !form.contains(document.activeElement)) form.querySelector('input')?.focus();
}

async function send(row: Row): Promise<void> {
  const [url, headers, body] = draftFields.map((name) => store.recall(name)) as [string, string, string];
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  const wrong = lines.find((line) => !/^[^:\s]+:/.test(line));
  if (wrong !== undefined) return fail(`Write a header as name: value, not ${wrong}.`);
  const named = lines.map((line) => {
    const end = line.indexOf(':');
    return [
      line.slice(0, end),
      line
        .slice(end + 1)
        .trim()
        .replaceAll(REDACTED, readKey()),
    ];
  });
  const request = {
    method: row.method,
    // A request line has ASCII only.
    url: url.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: Object.fromEntries(named),
    ...(body !== '' && { body }),
    isChecked: row.isChecked,
  };
  const after = store.server.value?.lastRequest ?? 0;
  try {
    await ask('POST', 'send', request);
  } catch (error) {
    return fail(describe(error));
  }
  stopEditing();
  openNext(row, request.url, after);
}

const fail = (problem: string): void => store.remember('again.problem', problem);

let stopWaiting = () => {};

/** Opens the request that was sent, as soon as it is in the list, unless something else was opened. */
function openNext(row: Row, url: string, after: number): void {
  const toPath = (target: string) => target.replace(/\?.*/s, '');
  const isSent = (one: Row) => one.id > after && one.method === row.method && toPath(one.url) === toPath(url);
  stopWaiting();
  stopWaiting = effect(() => {
    const { view, id, query } = route.value;
    if (view !== 'requests' || id !== String(row.id)) return;
    const sent = store.rows.value.find(isSent);
    if (sent === undefined) return;
    // An effect cannot end itself while it starts.
    queueMicrotask(() => {
      stopWaiting();
      location.hash = toHash({ view, id: String(sent.id), query });
    });
  });
}
