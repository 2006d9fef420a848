import htm from 'htm';
import { type ComponentChildren, h } from 'preact';
import { showControls } from '../../common/text/harmless-text.ts';
import { route, setQuery } from '../app/route.ts';
import { recall, remember } from '../app/store.ts';

export type View = ComponentChildren;
export type FieldEvent = Event & { readonly currentTarget: HTMLInputElement };

/** Creates elements from a template. Values are text or properties, never markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => View = htm.bind(h);

/** Returns a string of another origin with visible control characters. Emoji stay as they are. */
export const shown = (text: string): string =>
  text
    .split(/(\p{RGI_Emoji})/v)
    .map((part, index) => (index % 2 === 0 ? showControls(part) : part))
    .join('');

export const describeCount = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;

/** A button that `copy.js` makes work. Other properties go to the element. */
export function Copy(props: {
  readonly text: string;
  readonly label?: string;
  readonly [property: string]: unknown;
}): View {
  const { text, label = 'Copy', ...others } = props;
  return html`<button type="button" class="copy" title="Copy" ...${others} value=${text}>${label}</button>`;
}

export function Code({ label, text }: { readonly label: View; readonly text: string }): View {
  return html`<div class="code">
    <p><span>${label}</span><${Copy} text=${text} /></p>
    <pre>${shown(text)}</pre>
  </div>`;
}

/** Values, each with a label if that differs. */
type Options = readonly (string | number | readonly [value: string, label: string])[];

export function Select(props: { readonly options: Options; readonly [property: string]: unknown }): View {
  const { options, ...others } = props;
  return html`<select ...${others}>${options.map((option) => {
    const [value, label] = typeof option === 'object' ? option : [option, option];
    return html`<option value=${value}>${label}</option>`;
  })}</select>`;
}

/** A field with a label, which keeps what was typed and says what is wrong. Other properties go to the element. */
export function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly initial?: string;
  readonly options?: Options;
  /** What the server says about the value. Rules that are properties are checked by the browser. */
  readonly problem?: string | undefined;
  readonly [property: string]: unknown;
}): View {
  const { label, initial = '', problem = '', ...others } = props;
  const id = `${props.name}-problem`;
  const onInput = ({ currentTarget: { name, value } }: FieldEvent) => remember(name, value);
  const aria = problem !== '' && { 'aria-invalid': 'true', 'aria-describedby': id };
  const common = { ...others, ...aria, value: recall(props.name, initial), onInput };
  const field = props.options
    ? html`<${Select} ...${common} />`
    : html`<input ...${common} autocomplete="off" spellcheck=${false} />`;
  return html`<label><span>${label}</span>${field}</label>
    ${problem !== '' && html`<span id=${id} class="fail" role="alert">✗ ${shown(problem)}</span>`}`;
}

/** Name in the address, label and options of a filter. */
type FilterSelect = readonly [name: string, label: string, options: Options];

export function Filter({ selects = [] }: { readonly selects?: readonly FilterSelect[] }): View {
  const { query } = route.value;
  const set = ({ currentTarget: { name, value } }: FieldEvent) =>
    setQuery({ ...Object.fromEntries(query), [name]: value });
  return html`<search class="filter">
    <input type="search" name="text" aria-label="Filter" placeholder="Filter ( / )" data-key="/" size="12" value=${query.get('text') ?? ''} onInput=${set} />
    ${selects.map(([name, label, options]) => html`<${Select} name=${name} aria-label=${label} onChange=${set} options=${options} value=${query.get(name) ?? ''} />`)}
  </search>`;
}

export function Time({ time }: { readonly time: string }): View {
  const date = new Date(time);
  const shortened = date.toLocaleTimeString(undefined, { hourCycle: 'h23' });
  return html`<time datetime=${time} title=${date.toLocaleString()}>${shortened}</time>`;
}
