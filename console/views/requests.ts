import { useEffect, useRef } from 'preact/hooks';
import { operations } from '../../common/journal/operation-name.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { printDuration } from '../../common/text/print-duration.ts';
import { ask, readError } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { route, toClosed, toHash } from '../app/route.ts';
import type { Row } from '../app/store.ts';
import * as store from '../app/store.ts';
import { isError } from '../parts/find-mark.ts';
import { Code, describeCount, Filter, html, shown, Time, type View } from '../parts/parts.ts';
import { isUnchecked, type RowProps, Status } from '../parts/status.ts';
import { printGet } from './print-request.ts';
import { RequestDetail } from './request-detail.ts';

const filters = [
  ['operation', 'Operation', [['', 'Any operation'], ...operations]],
  ['status', 'Status', [['', 'Any status'], '2xx', '4xx', '5xx', 'waiting', ['none', 'No response']]],
  ['violations', 'Violations', [['', 'All requests'], 'with violations']],
] as const;

/** One for all, so that a row without violations is not rendered again. */
const none: RowProps['found'] = [];

export function Requests(): View {
  const { id, query } = route.value;
  const rows = store.rows.value;
  const all = rows.map((row) => ({ row, found: store.violations.value.get(row.id) ?? none }));
  const list = all.filter(createFilter(query)).reverse();
  const open = rows.find((row) => String(row.id) === id);
  const detail = open ? html`<${RequestDetail} key=${open.id} row=${open} />` : html`<${NotKept} />`;
  return html`
    <div class=${`panes ${id === '' ? '' : 'is-open'}`}>
      <section aria-label="Requests" class="list">
        <${Filter} selects=${filters.filter(([name]) => name !== 'violations' || store.isChecked.value)} />
        <div class="actions"><span class="counts" role="status">${describeCounts(list.length)}</span>
          ${rows.length > 0 && html`<button type="button" class="danger side" onClick=${clear}>Clear</button>`}</div>
        ${list.length === 0 ? html`<${Empty} />` : html`<ol class="rows">${list.map((one) => html`<${RowLink} key=${one.row.id} ...${one} />`)}</ol>`}
      </section>
      ${id !== '' && html`<section class="detail" aria-label="Request" tabindex="-1" ref=${enterDetail}>${detail}</section>`}
    </div>`;
}

/** Deletes the requests, and their violations if there is a checked proxy. */
const clear = () =>
  attempt(async () => {
    await ask('DELETE', 'requests');
    if (store.isChecked.value) await ask('DELETE', 'violations');
  });

function describeCounts(count: number): string {
  const { length } = store.rows.value;
  const hidden = (store.rows.value[0]?.id ?? 0) - (store.server.value?.oldestRequest ?? 0);
  const requests = `${count === length ? '' : `${count.toLocaleString()} of `}${describeCount(length, 'request')}`;
  return hidden > 0 ? `${requests}, ${describeCount(hidden, 'older request')} not shown` : requests;
}

function createFilter(query: URLSearchParams): (item: RowProps) => boolean {
  const { operation, status, violations: isBroken, text = '' } = Object.fromEntries(query);
  const searched = text.toLowerCase();
  return ({ row, found }) =>
    (!operation || operation === row.operation) &&
    (!status || status === toStatusGroup(row)) &&
    (!isBroken || found.length > 0 || isUnchecked(row)) &&
    (searched === '' || toText(row, found).includes(searched));
}

/** Returns the option of the filter by status that shows a request. */
function toStatusGroup({ status, ms }: Row): string {
  if (ms === undefined) return 'waiting';
  return status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
}

function toText(row: Row, violations: RowProps['found']): string {
  const { method, url, status, error, fault, body, headers, answer, ms } = row;
  const state = ms === undefined ? 'waiting' : status;
  const found = violations.map((one) => `${one.place} ${one.rule} ${printMessage(one)}`);
  const fields = Object.entries({ ...headers, ...answer?.headers }).flat();
  const cause = fault === undefined ? undefined : `fault ${fault}`;
  const parts = [`${method} ${url}`, state, error, cause, body, answer?.body, ...fields, ...found];
  return parts.join('\n').toLowerCase();
}

/** Moves the focus from a row into the detail. */
function enterDetail(detail: HTMLElement | null): void {
  if (document.activeElement?.matches('.row')) detail?.focus();
}

/** Reads a signal, so Preact renders the row again only if its properties or the route change. */
function RowLink({ row, found }: RowProps): View {
  const { id, method, url, time, ms } = row;
  const isOpen = String(id) === route.value.id;
  const link = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return html`<li><a href=${toHash({ ...route.value, id: String(id) })} class="row" ref=${link}
    data-row=${id} aria-current=${isOpen ? 'true' : undefined} onClick=${() => enterDetail(document.querySelector('.detail'))}>
    <${Status} row=${row} found=${found} /><code>${method}</code><code class="url">${shown(url)}</code>
    <${Problem} row=${row} found=${found} />
    <span class="number">${ms !== undefined && printDuration(ms)}</span><${Time} time=${time} />
  </a></li>`;
}

/** Shows the hint about the error, the error message of the response, or the worst violation. */
function Problem({ row: { status = 0, error, fault, hint, answer }, found }: RowProps): View {
  const worst = found.find(isError) ?? found[0];
  const isOwn = status >= 400 && answer?.status === undefined && !worst?.place.startsWith('response');
  const message = isOwn && readError(answer?.body ?? '').message?.replace(/\.$/, '');
  const sentence = message || (worst?.message ?? error?.replaceAll('_', ' '));
  // The row has no place for both, and the hint has the reason.
  const text = shown(hint ?? sentence ?? '');
  const tag = worst && `${worst.rule}${found.length > 1 ? ` +${found.length - 1}` : ''}`;
  const cause = fault !== undefined && html`<span class="tag warn">fault ${fault}</span>`;
  return html`<span class="reason"><span title=${text}>${text}</span>${cause}${tag && html`<code class="tag">${shown(tag)}</code>`}</span>`;
}

/** Says how requests get here. */
function Empty(): View {
  if (store.journalRefusal.value !== '')
    return html`<p class="empty">Requests are not shown. ${store.journalRefusal}</p>`;
  if (store.rows.value.length > 0)
    return html`<p class="empty">No request matches the filter. <a href="#/requests">Show all requests</a></p>`;
  const isChecked = store.appUrl.value !== store.baseUrl.value;
  return html`<div class="empty">
    <h2>Point your app at the ${store.serverName}</h2>
    <p>Its requests appear here.</p>
    ${isChecked && html`<${Code} label="Checked base URL: violations of the contract appear here too" text=${store.appUrl.value} />`}
    <${Code} label=${isChecked ? 'Base URL without checks' : 'Base URL'} text=${store.baseUrl.value} />
    <${Code} label="Send a request" text=${printGet('/pets?limit=2')} />
  </div>`;
}

function NotKept(): View {
  return html`<p class="empty">Request ${shown(route.value.id)} is not available. The console shows the latest 1,000 requests.
    ${' '}<a href=${toClosed()}>All requests</a></p>`;
}
