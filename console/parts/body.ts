import { useSignal } from '@preact/signals';
import type { Row, Violation } from '../app/store.ts';
import { findJsonParts, formatJson } from '../lib/json-text.ts';
import { Copy, html, shown, type View } from './parts.ts';

interface BodyProps {
  readonly message: Pick<Row, 'body' | 'bodyState' | 'headers'>;
  readonly violations: readonly Violation[];
  readonly side: 'request' | 'response';
}

/** A body as sent or formatted, with a mark at each violation. */
export function Body({ message, violations, side }: BodyProps): View {
  const { body, bodyState, headers } = message;
  const isFormatted = useSignal(false);
  if (body === undefined)
    return (
      bodyState &&
      html`<p class="muted">The body is not kept: it was not read before the response, is too large, has an unknown coding, or may quote a part of a key.</p>`
    );
  const formatted = formatJson(body);
  const size = (new Blob([body]).size / 1_000).toLocaleString(undefined, { maximumSignificantDigits: 3 });
  const [, type = 'no Content-Type'] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const toggle = () => {
    isFormatted.value = !isFormatted.value;
  };
  return html`<div class="code">
    <p><span>${shown(type)}${bodyState && `, ${bodyState}`}, ${size} kB</span><span class="side">
      ${formatted !== undefined && html`<button type="button" aria-pressed=${String(isFormatted.value)} onClick=${toggle}>Format</button>`}
      <${Copy} text=${body} /></span></p>
    <pre tabindex="0">${markPlaces((isFormatted.value && formatted) || body, side, violations)}</pre>
  </div>`;
}

function markPlaces(text: string, side: BodyProps['side'], violations: readonly Violation[]): View {
  const broken = Map.groupBy(violations, ({ at }) => at);
  const views: View[] = [];
  let end = 0;
  for (const part of broken.size === 0 ? [] : findJsonParts(text)) {
    const rules = broken.get(`${side}.body${part.path}`)?.map(describeRule);
    if (rules === undefined) continue;
    const mark = shown(text.slice(part.start, part.end));
    views.push(
      shown(text.slice(end, part.start)),
      html`<mark data-rule=${[...new Set(rules)].join(', ')}>${mark}</mark>`,
    );
    end = part.end;
  }
  return [...views, shown(text.slice(end))];
}

function describeRule({ rule, place }: Violation): string {
  return rule === 'required' ? `lacks ${place.split('.').at(-1)}` : rule;
}
