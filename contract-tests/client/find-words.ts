import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';

/** What an error may repeat of a request. */
interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Members of an error that say what went wrong. Others have what changes, such as a path, a time or an id. */
const tellingMembers = [
  'code',
  'error',
  'errors',
  'type',
  'exception',
  'title',
  'message',
  'detail',
  'reason',
];

/** The shortest value of a request that is masked, in characters: `null` or `sold` may be a word of the error. */
const SHORTEST_VALUE = 6;

/** How much of an error is read, in characters. */
const LONGEST_ERROR = 1_000;

/** Replaces what changes. */
const MASK = '#';

/** What changes from one response to the next: the request line, quoted values, references, and whatever has a digit. */
const changing: readonly RegExp[] = [
  /\S*\/pets\S*/g,
  /\b(?:GET|POST)\b/g,
  /"[^"]*"|'[^']*'|`[^`]*`/g,
  /\b(?:id|trace|request)\s*[:=#(]\s*\S+|\b(?:ref|reference|incident)\b[\s:=#(]+\S+/gi,
  /[\w:.+-]*\d[\w:.+-]*/g,
];

/**
 * Finds the words of an error that stay the same from one response to the next, without ids, times and values of the request. Two
 * errors with the same words probably have the same cause.
 *
 * @param body its JSON, or else its text, which may be a page. @param shorten of a long text, without a key at its cut
 */
export function findWords(
  body: ExactJson | undefined,
  text: string,
  request: Asked,
  shorten: (text: string, longest: number) => string,
): string {
  const told = body === undefined ? removeTags(text) : listTelling(body).join(', ');
  let words = shorten(told, LONGEST_ERROR);
  for (const value of listValues(request)) words = words.replaceAll(value, MASK);
  for (const pattern of changing) words = words.replaceAll(pattern, MASK);
  return words.replaceAll(/\s+/g, ' ').trim();
}

/** How many causes a run may show. If the words of errors differ more often, they change with each response. */
const MOST_CAUSES = 5;

/** Creates a function that returns the cause of an error by its words: the words, or nothing if they change with each response. */
export function createFindCause(all: readonly string[]): (words: string) => string {
  const isChanging = new Set(all).size > MOST_CAUSES;
  return (words) => (isChanging ? '' : words);
}

function removeTags(page: string): string {
  return page.replaceAll(/<(script|style)\b[^>]*>.*?<\/\1/gis, ' ').replaceAll(/<[^>]*>/g, ' ');
}

function listTelling(value: ExactJson): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(listTelling);
  if (!isJsonObject(value)) return [];
  return tellingMembers.flatMap((name) => (value[name] === undefined ? [] : listTelling(value[name])));
}

/** Lists what an error may repeat of its request, the longest first, since one may be a part of another. */
function listValues({ path, headers, body = '' }: Asked): string[] {
  const [place = '', query = ''] = path.split('?');
  const [, ...tokens] = (headers.Authorization ?? '').split(' ');
  const texts = [...body.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)];
  // The names of members are words of the service.
  const strings = texts.flatMap(([, text = '', colon]) => (colon === undefined ? [text] : []));
  const values = [
    ...place.split('/').slice(2),
    ...new URLSearchParams(query).values(),
    ...tokens,
    ...strings,
    body,
  ];
  const long = [...new Set(values)].filter((value) => value.length >= SHORTEST_VALUE);
  return long.toSorted((one, other) => other.length - one.length);
}
