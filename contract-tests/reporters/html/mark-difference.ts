import { showControls } from '../../../common/text/harmless-text.ts';
import type { Values } from '../describe-failures.ts';
import { html, type Markup } from './html.ts';

/** The longest value that is marked as a whole, in characters. */
const LONGEST_WHOLE = 6;

/** Marks where two values differ in the texts of a failure. @param values as the texts have them, if the failure compares two */
export function markDifference(
  expected: string,
  received: string,
  values?: Values,
): [expected: Markup, received: Markup] {
  const [one, other] = [showControls(expected), showControls(received)];
  const [wanted = '', got = ''] = (values ?? []).map(showControls);
  const isShown = wanted !== got && one.includes(wanted) && other.includes(got);
  if (values === undefined || !isShown) return [html`${one}`, html`${other}`];
  return [markIn(one, wanted, got), markIn(other, got, wanted)];
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
