import { useSignal } from '@preact/signals';
import htm from 'htm';
import { type ComponentChildren, h } from 'preact';
import { showControls } from '../../common/text/harmless-text.ts';
import { notify } from '../app/notices.ts';
import { route, setField } from '../app/route.ts';
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

const NO_CLIPBOARD =
  'The text is selected. Copy it with the keyboard. The button requires HTTPS or localhost.';

/** Time for which a button shows that it has copied, in milliseconds. */
const DONE_TIME = 2_000;

interface CopyProps {
  readonly text: string;
  readonly label?: string;
  /** Id of the element that shows the text, to be selected without a clipboard. @default the text next to the button */
  readonly of?: string;
  readonly [property: string]: unknown;
}

export function Copy({ text, label = 'Copy', of, ...others }: CopyProps): View {
  const copy = async ({ currentTarget: button }: { currentTarget: HTMLButtonElement }) => {
    try {
      await navigator.clipboard.writeText(text);
      button.dataset.done = '';
      setTimeout(() => delete button.dataset.done, DONE_TIME);
    } catch {
      getSelection()?.selectAllChildren(
        (of ? document.getElementById(of) : button.closest('.code')?.querySelector('pre')) ?? button,
      );
      notify({ text: NO_CLIPBOARD });
    }
  };
  return html`<button type="button" class="copy" title="Copy" ...${others} onClick=${copy}>${label}<span role="status"></span></button>`;
}

interface CodeProps {
  readonly label: View;
  readonly text: string;
  readonly id?: string;
}

export function Code({ label, text, id }: CodeProps): View {
  return html`<div class="code">
    <p><span>${label}</span><${Copy} text=${text} /></p>
    <pre id=${id}>${shown(text)}</pre>
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

/** A field with a label, which keeps what was typed and says what is wrong. Other properties go to the element. */
export function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly initial?: string;
  readonly options?: Options;
  /** Number of lines of a field for text of several lines. */
  readonly rows?: number | string;
  readonly problem?: string | undefined;
  readonly [property: string]: unknown;
}): View {
  const { label, initial = '', problem, ...others } = props;
  const invalid = useSignal('');
  const value = recall(props.name, initial);
  const check = (event: FieldEvent) => {
    const { name, value, validity, title, validationMessage } = event.currentTarget;
    remember(name, value);
    invalid.value = (validity.patternMismatch && title) || validationMessage;
    if (event.type !== 'invalid') return;
    // Instead of the bubble of the browser.
    event.preventDefault();
    event.currentTarget.focus();
  };
  const text = invalid.value || problem;
  const id = `${props.name}-problem`;
  const aria = { 'aria-invalid': String(Boolean(text)), 'aria-describedby': text ? id : undefined };
  const common = { ...others, ...aria, value, onInput: check, onInvalid: check };
  const element = props.rows === undefined ? 'input' : 'textarea';
  const field = props.options
    ? html`<${Select} ...${common} />`
    : html`<${element} ...${common} autocomplete="off" spellcheck=${false} />`;
  return html`<label><span>${label}</span>${field}</label>
    ${text && html`<span id=${id} class="fail" role="alert">✗ ${shown(text)}</span>`}`;
}

/** Name in the address, label and options of a filter. */
export type FilterSelect = readonly [name: string, label: string, options: Options];

export function Filter({ selects }: { readonly selects: readonly FilterSelect[] }): View {
  const { query } = route.value;
  const set = ({ currentTarget: { name, value } }: FieldEvent) => setField(name, value);
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
