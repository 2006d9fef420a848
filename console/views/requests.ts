import { computed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { printMessage } from '../../common/journal/violation.ts';
import { printDuration } from '../../common/text/print-duration.ts';
import { readMessage } from '../app/ask.ts';
import { isOfAll, route, toClosed, toHash } from '../app/route.ts';
import type { Row, Violation } from '../app/store.ts';
import * as store from '../app/store.ts';
import { clearRequests } from '../app/undo.ts';
import { describeViolation, isError } from '../lib/describe-violation.ts';
import { labelledOperations } from '../lib/label-operation.ts';
import { printGet } from '../lib/print-request.ts';
import { Code, describeCount, Filter, html, shown, Time, type View } from '../parts/parts.ts';
import { isUnchecked, type RowProps, Status } from '../parts/status.ts';
import { RequestDetail } from './request-detail.ts';

const filters = [
  ['operation', 'Operation', [['', 'Any operation'], ...labelledOperations]],
  ['status', 'Status', [['', 'Any status'], '2xx', '4xx', '5xx', 'waiting', ['none', 'No response']]],
  ['violations', 'Violations', [['', 'All requests'], 'with violations']],
] as const;

const uncleared = computed(() => store.rows.value.filter(({ id }) => id > store.clearedTo.value));

/** A request as the list shows it. */
interface Item {
  readonly row: Row;
  readonly found: readonly Violation[];
  /** Undefined unless the list has the requests of all sessions. */
  readonly session?: string | undefined;
}

/** The requests that the filter chooses from, oldest first. */
const items = computed((): readonly Item[] => {
  if (isOfAll.value)
    return store.allRows.value.map(({ request, violations, session }) => {
      return { row: request, found: violations, session };
    });
  return uncleared.value.map((row) => ({ row, found: store.violations.value.get(row.id) ?? [] }));
});

export function Requests(): View {
  const { id, query } = route.value;
  const hasViolations = store.violationsRefusal.value === '';
  const list = items.value.filter(createFilter(query)).reverse();
  const open = store.rows.value.find((row) => String(row.id) === id);
  const isClearable = !isOfAll.value && uncleared.value.length > 0;
  const link = (item: Item) => html`<${RowLink} key=${`${item.session} ${item.row.id}`} ...${item} />`;
  const detail = open ? html`<${RequestDetail} key=${open.id} row=${open} />` : html`<${NotKept} />`;
  return html`
    <div class=${`panes ${id === '' ? '' : 'is-open'}`}>
      <section aria-label="Requests" class="list">
        <${Filter} selects=${filters.filter(([name]) => name !== 'violations' || hasViolations)} />
        <p class="counts" role="status">${describeCounts(list.length)}</p>
        ${list.length === 0 ? html`<${Empty} />` : html`<ol class="rows">${list.map(link)}</ol>`}
        ${isClearable && html`<button type="button" class="clear danger" onClick=${clearRequests}>Clear</button>`}
      </section>
      ${id !== '' && html`<section class="detail" aria-label="Request" tabindex="-1" ref=${enterDetail}>${detail}</section>`}
    </div>`;
}

function describeCounts(count: number): string {
  const all = items.value.length;
  if (isOfAll.value)
    return `${count === all ? '' : `${count} of `}the latest ${describeCount(all, 'request')} of all sessions`;
  const { oldestRequest = 0 } = store.server.value ?? {};
  const hidden = (uncleared.value[0]?.id ?? 0) - Math.max(oldestRequest, store.clearedTo.value + 1);
  const requests = `${count === all ? '' : `${count.toLocaleString()} of `}${describeCount(all, 'request')}`;
  return hidden > 0 ? `${requests}, ${describeCount(hidden, 'older request')} not shown` : requests;
}

function createFilter(query: URLSearchParams): (item: Item) => boolean {
  const { operation, status, violations: isBroken, text = '' } = Object.fromEntries(query);
  const searched = text.toLowerCase();
  return ({ row, found, session = '' }) =>
    (!operation || operation === row.operation) &&
    (!status || status === toStatusGroup(row)) &&
    (!isBroken || found.length > 0 || isUnchecked(row)) &&
    (searched === '' || toText(row, found, session).includes(searched));
}

/** Returns the option of the filter by status that shows a request. */
function toStatusGroup({ status, ms }: Row): string {
  if (ms === undefined) return 'waiting';
  return status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
}

function toText(row: Row, violations: readonly Violation[], session: string): string {
  const { method, url, status, error, fault, body, headers, answer, ms } = row;
  const state = ms === undefined ? 'waiting' : status;
  const found = violations.map((one) => `${one.place} ${one.rule} ${printMessage(one)}`);
  const fields = Object.entries({ ...headers, ...answer?.headers }).flat();
  const cause = fault === undefined ? undefined : `fault ${fault}`;
  const parts = [session, `${method} ${url}`, state, error, cause, body, answer?.body, ...fields, ...found];
  return parts.join('\n').toLowerCase();
}

/** Moves the focus from a row into the detail. */
function enterDetail(detail: HTMLElement | null): void {
  if (document.activeElement?.matches('.row')) detail?.focus();
}

/** Reads a signal, so Preact renders the row again only if its properties or the route change. */
function RowLink({ row, found, session }: Item): View {
  const { id, method, url, time, ms } = row;
  const { id: openId, query } = route.value;
  const isOpen = !isOfAll.value && String(id) === openId;
  const link = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const address = isOfAll.value
    ? `${session === undefined ? '' : `sessions/${session}/`}#/requests/${id}`
    : toHash({ view: 'requests', id: String(id), query });
  return html`<li><a href=${address} class="row" ref=${link}
    data-row=${id} aria-current=${isOpen ? 'true' : undefined} onClick=${() => enterDetail(document.querySelector('.detail'))}>
    <${Status} row=${row} found=${found} /><code>${method}</code><code class="url">${session && html`<span class="tag">${session}</span> `}${shown(url)}</code>
    <${Problem} row=${row} found=${found} />
    <span class="number">${ms !== undefined && printDuration(ms)}</span><${Time} time=${time} />
  </a></li>`;
}

/** Shows the hint about the error, the error message of the response, or the worst violation. */
function Problem({ row: { status = 0, error, fault, hint, answer }, found = [] }: RowProps): View {
  const worst = found.find(isError) ?? found[0];
  const isOwn = status >= 400 && answer?.status === undefined && !worst?.place.startsWith('response');
  const message = isOwn && readMessage(answer?.body ?? '')?.replace(/\.$/, '');
  const sentence = message || (worst ? describeViolation(worst) : error?.replaceAll('_', ' '));
  // The row has no place for both, and the hint has the reason.
  const text = shown(hint ?? sentence ?? '');
  const tag = worst && `${worst.rule}${found.length > 1 ? ` +${found.length - 1}` : ''}`;
  const cause = fault !== undefined && html`<span class="tag warn">fault ${fault}</span>`;
  return html`<span class="reason"><span title=${text}>${text}</span>${cause}${tag && html`<code class="tag">${shown(tag)}</code>`}</span>`;
}

function Empty(): View {
  if (store.journalRefusal.value !== '') return html`<p class="empty">${store.journalRefusal}</p>`;
  if (items.value.length > 0)
    return html`<p class="empty">No request matches the filter. <a href="#/requests">Show all requests</a></p>`;
  return html`<div class="empty"><p>Requests appear here. Send one:</p><${Code} label="Shell" text=${printGet('/pets?limit=2')} /></div>`;
}

function NotKept(): View {
  const { id } = route.value;
  return html`<p class="empty">Request ${shown(id)} is not available. The console shows the latest 1,000 requests${store.isProxy ? '' : ' since the last reset'}.
    ${' '}<a href=${toClosed()}>All requests</a></p>`;
}
