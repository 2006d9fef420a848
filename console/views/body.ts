import { useState } from 'preact/hooks';
import type { Row, Violation } from '../app/store.ts';
import { isError } from '../parts/find-mark.ts';
import { Copy, describeCount, html, shown, type View } from '../parts/parts.ts';
import { formatJson } from './format-json.ts';

interface BodyProps {
  readonly heading: string;
  readonly message: Pick<Row, 'body' | 'bodyState' | 'headers'>;
  readonly violations: readonly Violation[];
  readonly side: 'request' | 'response';
}

const notKept =
  'The body is not kept. It was not read before the response, is too large, has an unknown content coding, or may contain a part of a key.';

/** A body, formatted or as sent, with the broken rule at each violation. */
export function Body({ heading, message, violations, side }: BodyProps): View {
  const { body, bodyState, headers } = message;
  const [isRaw, setRaw] = useState(false);
  const title = html`<h3>${heading}</h3>`;
  if (body === undefined) return bodyState && html`${title}<p class="muted">${notKept}</p>`;
  const formatted = formatJson(body);
  const isMalformed = formatted === undefined && bodyState !== 'cut';
  const bytes = new Blob([body]).size;
  const size = bytes < 1_000 ? describeCount(bytes, 'byte') : `${(bytes / 1_000).toFixed(1)} kB`;
  const [, type = 'no Content-Type'] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return html`${title}<div class="code">
    <p><span>${shown(type)}${bodyState && `, ${bodyState}`}, ${size}</span><span class="side">
      ${formatted !== undefined && html`<button type="button" onClick=${() => setRaw(!isRaw)}>${isRaw ? 'Format' : 'Show as sent'}</button>`}
      <${Copy} text=${body} /></span></p>
    <pre tabindex="0">${markPlaces(isRaw ? body : (formatted ?? body), side, violations, isMalformed)}</pre>
  </div>`;
}

/** Marks what is wrong. Text that is no JSON is wrong as a whole. */
function markPlaces(
  text: string,
  side: BodyProps['side'],
  violations: readonly Violation[],
  isMalformed: boolean,
): View {
  const broken = Map.groupBy(violations, ({ location }) => location.join('.'));
  const parts = isMalformed ? [{ path: '', start: 0, end: text.length }] : findJsonParts(text);
  const views: View[] = [];
  let end = 0;
  for (const part of broken.size === 0 ? [] : parts) {
    const here = broken.get(`${side}.body${part.path}`);
    if (here === undefined) continue;
    const rules = here.map(({ rule, missing, expected = missing }) =>
      [rule, expected].filter(Boolean).join(': '),
    );
    // The rule is after the comma.
    const before = shown(text.slice(end, part.start));
    end = part.end + (text[part.end] === ',' ? 1 : 0);
    views.push(html`${before}<mark class=${here.some(isError) ? '' : 'warn'} data-problem=${shown([...new Set(rules)].join('; '))}>
      ${shown(text.slice(part.start, end))}</mark>`);
  }
  return [...views, shown(text.slice(end))];
}

const tokens = /("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|[^\s"{}[\],:]+|[{}[\],]/gs;

/**
 * Finds the values of a JSON text, which may be cut. The path is such as `.0.name`. A part starts at the value or at the name
 * before it, and ends after the value; for an object or array after its opening bracket.
 */
function findJsonParts(text: string) {
  const found: { readonly path: string; readonly start: number; readonly end: number }[] = [];
  const open: { readonly path: string; key: string | number }[] = [];
  let start: number | undefined;
  for (const { 0: token, 1: quoted = '', 2: colon, index } of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof inside?.key === 'number') inside.key += 1;
    else if (colon !== undefined && inside !== undefined) {
      inside.key = quoted.slice(1, -1);
      start = index;
    } else if (token !== ',') {
      const path = inside === undefined ? '' : `${inside.path}.${inside.key}`;
      found.push({ path, start: start ?? index, end: index + token.length });
      if (token === '{' || token === '[') open.push({ path, key: 0 });
      start = undefined;
    }
  }
  return found;
}
