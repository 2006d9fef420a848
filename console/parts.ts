import { showControls } from '../common/harmless-text.ts';
import type { Fault, Row } from './data.ts';
import { html, type View } from './html.ts';
import { recall, remember } from './memory.ts';
import { tell } from './notice.ts';

/** Text that somebody else wrote, with what would play with the eye made visible. */
export const shown = showControls;

/** A button that copies a text. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): View {
  const copy = async ({ currentTarget: button }: { currentTarget: HTMLButtonElement }) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      selectInstead(button, text);
      return;
    }
    button.dataset.done = '';
    setTimeout(() => delete button.dataset.done, 2_000);
  };
  return html`<button type="button" class="copy" title="Copy" onClick=${copy}>${label}<span role="status"></span></button>`;
}

/** A page of plain HTTP from another machine has no clipboard. */
function selectInstead(button: Element, text: string): void {
  const code = button.closest('.code')?.querySelector('pre');
  if (code != null) getSelection()?.selectAllChildren(code);
  const why = 'A browser copies on https and on this machine alone.';
  tell({ text: code == null ? `${why} The text: ${text}` : `${why} The text is selected: copy it by hand.` });
}

/** A text to copy, under what it is. */
export function Code({ label, text, children }: { label: View; text: string; children?: View }): View {
  return html`<div class="code">
    <p><span>${label}</span><span class="side">${children}<${Copy} text=${text} /></span></p>
    <pre>${shown(text)}</pre>
  </div>`;
}

/** A field, what it is called, and what was typed in it, which stays. */
export function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly otherwise?: string;
  readonly type?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** When it has another value and is left, or Enter is pressed. */
  readonly onChange?: () => void;
  readonly [property: string]: unknown;
}): View {
  const { name, label, otherwise = '', options, onChange, ...others } = props;
  const value = recall(name, otherwise);
  const input = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    remember(name, currentTarget.value);
  const field =
    options === undefined
      ? html`<input ...${others} name=${name} value=${value} onInput=${input} onChange=${onChange} autocomplete="off" spellcheck=${false} />`
      : html`<select ...${others} name=${name} value=${value} onInput=${input} onChange=${onChange}>${options.map(
          ([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`,
        )}</select>`;
  return html`<label><span>${label}</span>${field}</label>`;
}

/** A switch: what it is for, and whether it is on. */
export function Switch({
  isOn,
  label,
  onClick,
}: {
  isOn: boolean;
  label: string;
  onClick: () => unknown;
}): View {
  return html`<button type="button" role="switch" class="switch" aria-checked=${String(isOn)} aria-label=${label}
    onClick=${onClick}>${isOn ? 'On' : 'Off'}</button>`;
}

/** A time, as long ago as it is; the exact one on hover. */
export function Time({ time }: { readonly time: string }): View {
  return html`<time datetime=${time} title=${new Date(time).toLocaleString()}>${describeAge(time)}</time>`;
}

/** Lets all times on the page go on. */
export function tickTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const [text, age] = [time.firstChild as Text, describeAge(time.dateTime)];
    if (text.data !== age) text.data = age;
  }
}

function describeAge(time: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1_000));
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3_600)} h ago`;
}

/** The status of an answer, with its mark. */
export function Status({ row: { status, error } }: { readonly row: Pick<Row, 'status' | 'error'> }): View {
  if (status === undefined)
    return html`<span class="status fail">✗ ${error === undefined ? 'gone' : 'drop'}</span>`;
  const [kind, mark] = status >= 500 ? ['fail', '✗'] : status >= 400 ? ['warn', '!'] : ['pass', '✓'];
  return html`<span class=${`status ${kind}`}>${mark} ${status}</span>`;
}

/** What a fault does, and to what, such as "500 on listPets, next 1". */
export function describeFault({ operation, method, path, times, used = 0, ...fault }: Fault): string {
  const { status, delay, drop, body, probability } = fault;
  const wait = typeof delay === 'object' ? `about ${delay.median} ms` : `${delay} ms`;
  const what = [
    ...(probability === undefined || probability === 1
      ? []
      : [`${Number((probability * 100).toPrecision(3))} %`]),
    ...(delay === undefined ? [] : [wait]),
    ...(status === undefined ? [] : [String(status)]),
    ...(drop === undefined ? [] : [drop.toLowerCase().replaceAll('_', ' ')]),
    ...(body === undefined ? [] : [`${body.toLowerCase().replaceAll('_', ' ')} as body`]),
  ];
  const where = operation ?? [method, path].filter((part) => part !== undefined).join(' ');
  return `${what.join(' ')} on ${where || 'everything'}${times === undefined ? '' : `, next ${times - used}`}`;
}
