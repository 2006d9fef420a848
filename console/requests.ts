import { Component } from 'preact';
import { ask, readMessage } from './ask.ts';
import { clearRows } from './clear-rows.ts';
import { hold, isProxy, MOST_ROWS, type Row, refresh, server, showWaiting, state } from './data.ts';
import { findWrong, isError, withFound } from './found.ts';
import { html, type View } from './html.ts';
import { attempt } from './notice.ts';
import { Code, Status, shown, Time } from './parts.ts';
import { printGet } from './print-request.ts';
import { RequestDetail } from './request-detail.ts';
import { type Route, setQuery, toHash } from './route.ts';

const operations = ['listPets', 'createPet', 'getPet', 'createMessage'];
const statuses = [
  ['', 'Any status'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'No answer'],
] as const;

/** The requests as they came, and beside them the one that is open. */
export function Requests({ route }: { readonly route: Route }): View {
  const fits = createFits(route.query);
  const all = state.rows.filter(({ id }) => id > state.hiddenTo);
  const rows = all.filter(fits).reverse();
  const open = state.rows.find(({ id }) => String(id) === route.id) ?? findUnshown(route.id);
  const waiting = state.waiting.filter((row) => row.id > state.hiddenTo && fits(row)).length;
  return html`
    <div class=${`panes ${route.id === '' ? '' : 'is-open'}`}>
      <section aria-label="Requests" class="list">
        <${Filter} query=${route.query} />
        <p class="counts" role="status">
          <span>${describeCounts(rows.length, all.length)}</span>
          ${waiting > 0 && html`<button type="button" onClick=${showWaiting}>${waiting} new</button>`}
          ${all.length > 0 && html`<button type="button" class="plain" onClick=${clearRows}>Clear</button>`}
        </p>
        <div ref=${leaveAll} onPointerEnter=${enter} onPointerLeave=${leave} onFocusIn=${enter} onFocusOut=${leave}>
          ${
            rows.length === 0
              ? html`<${Nothing} isFiltered=${all.length > 0} />`
              : html`<ol class="rows">${rows.map(
                  (row) =>
                    html`<${RowLink} key=${row.id} row=${row} isOpen=${row === open} query=${String(route.query)} />`,
                )}</ol>`
          }
        </div>
      </section>
      ${
        route.id !== '' &&
        html`<${Divider} /><section class="detail" aria-label="Request">
        ${open === undefined ? html`<${Gone} route=${route} />` : html`<${RequestDetail} key=${open.id} row=${open} route=${route} />`}
      </section>`
      }
    </div>`;
}

/** A request that was told too fast to be shown, or is older, as the mock has it. */
let unshown: { readonly asked: string; readonly row?: Row } = { asked: '' };

function findUnshown(id: string): Row | undefined {
  const asked = `${state.connections} ${state.server?.clearedTo} ${id}`;
  if (unshown.asked === asked) return unshown.row;
  unshown = { asked };
  if (/^[1-9]\d{0,14}$/.test(id)) void attempt(() => readUnshown(id, asked));
  return undefined;
}

async function readUnshown(id: string, asked: string): Promise<void> {
  const [found]: Row[] = await ask('GET', `requests?since=${Number(id) - 1}&until=${id}`);
  const row = found && (await withFound(found));
  if (row === undefined || unshown.asked !== asked) return;
  unshown = { asked, row };
  refresh();
}

/** What is in the list: the pointer, the keyboard, or both. */
const inside = new Set<'pointer' | 'keyboard'>();

/** A finger that has left leaves nothing behind that reads. */
function enter({ target, pointerType }: FocusEvent & PointerEvent): void {
  if (pointerType !== undefined && pointerType !== 'touch') inside.add('pointer');
  if (pointerType === undefined && (target as Element).matches(':focus-visible')) inside.add('keyboard');
  hold(inside.size > 0);
}

function leave({ currentTarget, relatedTarget, pointerType }: FocusEvent & PointerEvent): void {
  if (pointerType === undefined && (currentTarget as Element).contains(relatedTarget as Node | null)) return;
  inside.delete(pointerType === undefined ? 'keyboard' : 'pointer');
  hold(inside.size > 0);
}

/** A list that is gone tells nobody that it was left. */
function leaveAll(list: Element | null): void {
  inside.clear();
  if (list === null) hold(false);
}

function describeCounts(count: number, all: number): string {
  const some = count === all ? '' : `${count.toLocaleString()} of `;
  const untold = state.missed - state.hiddenMissed;
  const missed = untold <= 0 ? '' : `, ${untold.toLocaleString()} more not shown: too many came`;
  return `${some}${all.toLocaleString()} ${all === MOST_ROWS ? 'latest requests' : all === 1 ? 'request' : 'requests'}${missed}`;
}

function Filter({ query }: { readonly query: URLSearchParams }): View {
  const set = (name: string) => (event: { currentTarget: HTMLInputElement }) =>
    setQuery(name, event.currentTarget.value);
  const check = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    setQuery('violations', currentTarget.checked ? 'yes' : '');
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    html`<select aria-label=${label} onChange=${set(name)}>${options.map(
      ([value, text]) =>
        html`<option value=${value} selected=${value === (query.get(name) ?? '')}>${text}</option>`,
    )}</select>`;
  return html`<form class="filter" onSubmit=${(event: Event) => event.preventDefault()}>
    <input type="search" aria-label="Filter" placeholder="Filter ( / )" value=${query.get('text') ?? ''} onInput=${set('text')} />
    ${select('operation', 'Operation', [['', 'Any operation'], ...operations.map((one) => [one, one] as const)])}
    ${select('status', 'Status', statuses)}
    ${state.isWatched && html`<label><input type="checkbox" checked=${query.get('violations') === 'yes'} onChange=${check} /> Violations</label>`}
  </form>`;
}

function createFits(query: URLSearchParams): (row: Row) => boolean {
  const [operation, status, violations] = ['operation', 'status', 'violations'].map(
    (name) => query.get(name) ?? '',
  );
  const text = (query.get('text') ?? '').toLowerCase();
  return (row) =>
    (operation === '' || operation === row.operation) &&
    (status === '' || status === (row.status === undefined ? 'none' : `${Math.floor(row.status / 100)}xx`)) &&
    (violations === '' || row.violations !== undefined || row.isUnsure === true) &&
    (text === '' || toText(row).includes(text));
}

const texts = new WeakMap<Row, string>();

/** What a filter looks into. */
function toText(row: Row): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const { method, url, status, error, body = '', headers, answer, violations = [] } = row;
  const found = violations.map(({ place, rule, message }) => `${place} ${rule} ${message}`);
  const text = [
    `${method} ${url}`,
    status,
    error,
    body,
    answer?.body,
    ...Object.entries(headers).flat(),
    ...Object.entries(answer?.headers ?? {}).flat(),
    ...found,
  ]
    .join('\n')
    .toLowerCase();
  texts.set(row, text);
  return text;
}

interface RowProps {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly query: string;
}

/** A row stays as it is while nothing of it changes: there are a thousand of them. */
class RowLink extends Component<RowProps> {
  override shouldComponentUpdate({ row, isOpen, query }: RowProps): boolean {
    return row !== this.props.row || isOpen !== this.props.isOpen || query !== this.props.query;
  }

  override render({ row, isOpen, query }: RowProps): View {
    const { id, method, url, ms, time } = row;
    return html`<li><a href=${toHash({ view: 'requests', id: String(id), query: new URLSearchParams(query) })} class="row"
      data-row=${id} aria-current=${isOpen ? 'true' : undefined}>
      <${Status} row=${row} /><code class="method">${method}</code><span class="what"><code class="url">${shown(url)}</code>
      <${Wrong} row=${row} /></span>
      <span class="number">${ms} ms</span><${Time} time=${time} />
    </a></li>`;
  }
}

/** What is wrong with a request, in a few words. */
function Wrong({ row }: { readonly row: Row }): View {
  const { status = 0, error, answer, isUnsure } = row;
  const wrong = findWrong(row);
  if (wrong === undefined) {
    const isTold = answer?.status === undefined && status >= 400;
    const message = (isTold ? readMessage(answer?.body ?? '') : undefined) ?? error;
    const said = [...(isUnsure ? ['? violations are forgotten'] : []), ...(message ? [message] : [])];
    return html`<span class="wrong muted">${shown(said.join('; '))}</span>`;
  }
  const { worst, count, isAtLeast } = wrong;
  const more = count > 1 || isAtLeast ? `${isAtLeast ? 'at least ' : ''}+${count - 1}` : undefined;
  const [kind, mark] = isError(worst) ? ['fail', '✗'] : ['warn', '!'];
  return html`<span class=${`wrong ${kind}`}>${mark} ${shown(worst.place.replace(/^request\./, ''))} ${worst.rule}</span>
    ${more && html`<span class=${`all ${kind}`}>${more}</span>`}`;
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): View {
  if (state.journalRefusal !== '') return html`<p class="empty">${state.journalRefusal}</p>`;
  if (isFiltered) return html`<p class="empty">No request fits. <a href="#/requests">Show all</a></p>`;
  return html`<div class="empty"><p>Requests stand here as they come. Send one:</p><${Code} label="Shell" text=${printGet('/pets?limit=2')} /></div>`;
}

function Gone({ route }: { readonly route: Route }): View {
  return html`<p class="empty">Request ${shown(route.id)} is not here: the ${server} keeps the latest ones${isProxy ? '' : ', until a reset'}.
    ${' '}<a href=${toHash({ ...route, id: '' })}>All requests</a></p>`;
}

/** Between the list and what is open: it can be dragged, or moved by the arrow keys, and stays. */
function Divider(): View {
  const width = Number(localStorage.getItem('list-width') ?? 50);
  const set = (percent: number) => {
    const next = Math.min(75, Math.max(25, percent));
    localStorage.setItem('list-width', String(next));
    document.documentElement.style.setProperty('--list-width', `${next}%`);
  };
  const move = (event: PointerEvent) => {
    if (event.buttons === 1) set((event.clientX / innerWidth) * 100);
  };
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft' || key === 'ArrowRight')
      set(Number(localStorage.getItem('list-width') ?? 50) + (key === 'ArrowLeft' ? -5 : 5));
  };
  return html`<div class="divider" role="separator" tabindex="0" aria-label="Width of the list" aria-orientation="vertical"
    aria-valuenow=${Math.round(width)} aria-valuemin="25" aria-valuemax="75" onPointerMove=${move} onKeyDown=${press}
    onPointerDown=${(event: PointerEvent) => (event.currentTarget as Element).setPointerCapture(event.pointerId)}
    ref=${() => document.documentElement.style.setProperty('--list-width', `${width}%`)}></div>`;
}
