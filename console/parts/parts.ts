import htm from 'htm';
import { type ComponentChildren, h } from 'preact';
import { showControls } from '../../common/text/harmless-text.ts';
import { notify } from '../app/notices.ts';
import { route, setField } from '../app/route.ts';
import { type Row, recall, remember } from '../app/store.ts';

export type View = ComponentChildren;

/** Creates elements from a template. Values are text or properties, never markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => View = htm.bind(h);

/** Returns a text of another origin with visible control characters. */
export const shown = showControls;

export function describeCount(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}

export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }): View {
  const copy = async ({ currentTarget: button }: { currentTarget: HTMLButtonElement }) => {
    try {
      await navigator.clipboard.writeText(text);
      button.dataset.done = '';
      setTimeout(() => delete button.dataset.done, 2_000);
    } catch {
      getSelection()?.selectAllChildren(button.closest('.code')?.querySelector('pre') ?? button);
      notify({
        text: 'The text is selected: copy it by hand. A browser copies only on https and on this machine.',
      });
    }
  };
  return html`<button type="button" class="copy" title="Copy" onClick=${copy}>${label}<span role="status"></span></button>`;
}

export function Code({ label, text }: { readonly label: View; readonly text: string }): View {
  return html`<div class="code">
    <p><span>${label}</span><${Copy} text=${text} /></p>
    <pre>${shown(text)}</pre>
  </div>`;
}

/** Values, each with a label if that differs. */
export type Options = readonly (string | number | readonly [value: string, label: string])[];

export function Select(props: { readonly options: Options; readonly [property: string]: unknown }): View {
  const { options, ...others } = props;
  return html`<select ...${others}>${options.map((option) => {
    const [value, label] = typeof option === 'object' ? option : [option, option];
    return html`<option value=${value}>${label}</option>`;
  })}</select>`;
}

/** A field with a label, which keeps what was typed. Other properties go to the element. */
export function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly initial?: string;
  readonly options?: Options;
  readonly [property: string]: unknown;
}): View {
  const { label, initial = '', ...others } = props;
  const value = recall(props.name, initial);
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    remember(props.name, currentTarget.value);
  const field = props.options
    ? html`<${Select} ...${others} value=${value} onInput=${onInput} />`
    : html`<input ...${others} value=${value} onInput=${onInput} autocomplete="off" spellcheck=${false} />`;
  return html`<label><span>${label}</span>${field}</label>`;
}

/** Name in the address, label and options of a filter. */
export type FilterSelect = readonly [name: string, label: string, options: Options];

export function Filter({ selects }: { readonly selects: readonly FilterSelect[] }): View {
  const { query } = route.value;
  const set = ({ currentTarget: { name, value } }: { currentTarget: HTMLInputElement }) =>
    setField(name, value);
  return html`<search class="filter">
    <input type="search" name="text" aria-label="Filter" placeholder="Filter ( / )" size="12" value=${query.get('text') ?? ''} onInput=${set} />
    ${selects.map(([name, label, options]) => html`<${Select} name=${name} aria-label=${label} onChange=${set} options=${options} value=${query.get(name) ?? ''} />`)}
  </search>`;
}

export function Time({ time }: { readonly time: string }): View {
  const date = new Date(time);
  const shortened = date.toLocaleTimeString(undefined, { hourCycle: 'h23' });
  return html`<time datetime=${time} title=${date.toLocaleString()}>${shortened}</time>`;
}

export function Status({ row: { status, error } }: { readonly row: Pick<Row, 'status' | 'error'> }): View {
  if (status === undefined)
    return html`<span class="status fail">✗ ${error === undefined ? 'no reply' : 'drop'}</span>`;
  const [kind, mark] = status >= 500 ? ['fail', '✗'] : status >= 400 ? ['warn', '!'] : ['pass', '✓'];
  return html`<span class=${`status ${kind}`}>${mark} ${status}</span>`;
}
