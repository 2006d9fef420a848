import { showControls } from '../../../common/text/harmless-text.ts';
import { html, type Markup } from './html.ts';

/** A value in a message: a JSON string, a number, a word of JSON, a media type. */
const VALUE = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*|\b(?:null|true|false)\b|\w+\/[\w.+-]+/g;
const LONGEST_WHOLE = 6;

/** Marks the different part of the expected and the received value, if the received text begins with a value. */
export function markDifference(expected: string, actual: string): [expected: Markup, actual: Markup] {
  const [one, other] = [showControls(expected), showControls(actual)];
  const [got = ''] = other.match(VALUE) ?? [];
  const wanted: readonly string[] = one.match(VALUE) ?? [];
  const isValue = got !== '' && other.startsWith(got);
  if (!isValue || wanted.length === 0 || wanted.includes(got)) return [html`${one}`, html`${other}`];
  const countSame = (value: string) => findSame(value, got).reduce((head, tail) => head + tail);
  const closest = wanted.reduce((best, value) => (countSame(value) > countSame(best) ? value : best));
  return [markIn(one, closest, got), markIn(other, got, closest)];
}

function markIn(text: string, value: string, other: string): Markup {
  const [head, tail] = findSame(value, other);
  const chars = [...value];
  const before = text.slice(0, text.indexOf(value)) + chars.slice(0, head).join('');
  const marked = chars.slice(head, chars.length - tail).join('');
  const after = text.slice(before.length + marked.length);
  return html`${before}${marked !== '' && html`<mark>${marked}</mark>`}${after}`;
}

/** Returns how many characters two long values have in common at their beginning and at their end. */
function findSame(one: string, other: string): [head: number, tail: number] {
  const [a, b] = [[...one], [...other]];
  if (Math.max(a.length, b.length) <= LONGEST_WHOLE) return [0, 0];
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return [head, tail];
}
