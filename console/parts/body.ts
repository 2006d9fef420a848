import { useState } from 'preact/hooks';
import type { Row, Violation } from '../app/store.ts';
import { describeViolation, isError } from '../lib/describe-violation.ts';
import { findJsonParts, formatJson } from '../lib/json-text.ts';
import { Copy, describeCount, html, shown, type View } from './parts.ts';

interface BodyProps {
  readonly heading: string;
  readonly message: Pick<Row, 'body' | 'bodyState' | 'headers'>;
  readonly violations: readonly Violation[];
  readonly side: 'request' | 'response';
}

const notKept =
  'The body is not kept. It was not read before the response, is too large, has an unknown content coding, or may contain a part of a key.';

/** A body, formatted or as sent, with a sentence at each violation. */
export function Body({ heading, message, violations, side }: BodyProps): View {
  const { body, bodyState, headers } = message;
  const [isRaw, setRaw] = useState(false);
  const title = html`<h3>${heading}</h3>`;
  if (body === undefined) return bodyState && html`${title}<p class="muted">${notKept}</p>`;
  const formatted = formatJson(body);
  const bytes = new Blob([body]).size;
  const size = bytes < 1_000 ? describeCount(bytes, 'byte') : `${(bytes / 1_000).toFixed(1)} kB`;
  const [, type = 'no Content-Type'] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return html`${title}<div class="code">
    <p><span>${shown(type)}${bodyState && `, ${bodyState}`}, ${size}</span><span class="side">
      ${formatted !== undefined && html`<button type="button" onClick=${() => setRaw(!isRaw)}>${isRaw ? 'Format' : 'Show as sent'}</button>`}
      <${Copy} text=${body} /></span></p>
    <pre tabindex="0">${markPlaces(isRaw ? body : (formatted ?? body), side, violations)}</pre>
  </div>`;
}

function markPlaces(text: string, side: BodyProps['side'], violations: readonly Violation[]): View {
  const broken = Map.groupBy(violations, ({ location }) => location.join('.'));
  const views: View[] = [];
  let end = 0;
  for (const part of broken.size === 0 ? [] : findJsonParts(text)) {
    const here = broken.get(`${side}.body${part.path}`);
    if (here === undefined) continue;
    const sentences = new Set(here.map((one) => shown(describeViolation(one, true))));
    // The sentence is after the comma.
    const before = shown(text.slice(end, part.start));
    end = part.end + (text[part.end] === ',' ? 1 : 0);
    views.push(html`${before}<mark class=${here.some(isError) ? '' : 'warn'} data-problem=${[...sentences].join('; ')}>
      ${shown(text.slice(part.start, end))}</mark>`);
  }
  return [...views, shown(text.slice(end))];
}
