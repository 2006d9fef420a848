import { Component } from 'preact';
import { type BodyState, isProxy, type Row, type Violation } from './data.ts';
import { html, type View } from './html.ts';
import { findJsonParts, formatJson } from './json-text.ts';
import { Copy, shown } from './parts.ts';

/** Lines of a body that are shown at first. */
const MOST_LINES = 40;

/** What a label says of a body that is not as it was sent. */
const labels: Readonly<Record<BodyState, string>> = {
  cut: ', cut: its beginning is kept',
  'not kept': '',
  decoded: ', unpacked',
  'not text': ', not text: some of its bytes cannot be shown',
};

interface BodyProps {
  readonly text: string;
  readonly label: string;
  readonly bodyState?: BodyState;
  readonly violations: readonly Violation[];
  readonly side: 'request' | 'response';
}

/** A body as it came, or formatted; what a violation is about is marked. */
export class Body extends Component<BodyProps, { isFormatted?: boolean; isWhole?: boolean }> {
  override render({ text, label, bodyState, violations, side }: BodyProps): View {
    const formatted = formatJson(text);
    const { isFormatted = false, isWhole = false } = this.state;
    const lines = (isFormatted ? (formatted ?? text) : text).split('\n');
    const seen = isWhole ? lines : lines.slice(0, MOST_LINES);
    const size = (new Blob([text]).size / 1_000).toLocaleString(undefined, { maximumSignificantDigits: 3 });
    return html`<div class="code">
      <p><span>${shown(label)}${bodyState && labels[bodyState]}, ${size} kB</span><span class="side">
        ${formatted !== undefined && html`<button type="button" aria-pressed=${String(isFormatted)} onClick=${() => this.setState({ isFormatted: !isFormatted })}>Format</button>`}
        <${Copy} text=${text} /></span></p>
      <pre>${markPlaces(seen.join('\n'), side, violations)}</pre>
      ${lines.length > seen.length && html`<button type="button" onClick=${() => this.setState({ isWhole: true })}>${lines.length - seen.length} more lines</button>`}
    </div>`;
  }
}

/** The places of a body that a violation is about are marked, each with its rules. */
function markPlaces(text: string, side: BodyProps['side'], violations: readonly Violation[]): View {
  const here = violations.filter(({ at }) => at === `${side}.body` || at.startsWith(`${side}.body.`));
  if (here.length === 0) return shown(text);
  const broken = Map.groupBy(here, ({ at }) => at);
  const shownParts: View[] = [];
  let end = 0;
  for (const part of findJsonParts(text)) {
    const rules = broken.get(`${side}.body${part.path}`)?.map(describeRule);
    if (rules === undefined) continue;
    shownParts.push(
      shown(text.slice(end, part.start)),
      html`<mark data-rule=${[...new Set(rules)].join(', ')}>${shown(text.slice(part.start, part.end))}</mark>`,
    );
    end = part.end;
  }
  return [...shownParts, shown(text.slice(end))];
}

function describeRule({ rule, place }: Violation): string {
  return rule === 'required' ? `lacks ${place.split('.').at(-1)}` : rule;
}

/** Why a body that was sent is not here. */
export function NotKept({ row, side }: { readonly row: Row; readonly side: BodyProps['side'] }): View {
  return html`<p class="muted">It is not kept here: ${(isProxy ? whyOfProxy : whyOfMock)(row, side)}.</p>`;
}

function whyOfProxy(_row: Row, side: BodyProps['side']): string {
  return side === 'request'
    ? 'it may be larger than 1 MiB, packed in a way that the proxy does not know, or not read before the answer'
    : 'it may be larger than 1 MiB, a stream of events, packed in a way that the proxy does not know, or quote a part of a key';
}

function whyOfMock({ status }: Row, side: BodyProps['side']): string {
  if (side === 'response') return 'it may quote a part of a key';
  return status === 401
    ? 'the key was refused, so that it was not read'
    : 'it was not read before the answer';
}
