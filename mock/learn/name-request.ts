import { petStatuses } from '../../common/json/pet.ts';
import { splitMembers } from '../../common/json/split-members.ts';
import type { Seen } from './read-recording.ts';

/**
 * Names a request without ids, names, keys and anything else that a recording should keep to itself, such as
 * `GET /pets?limit=abc` or `POST /pets {name: 41 characters, categoryId: integer}`.
 */
export function nameRequest({ method, path, headers, isKeyUnknown, ...seen }: Seen): string {
  const [place = '', query] = path.split(/\?(.*)/s);
  const asked = query === undefined ? namePlace(place) : `${namePlace(place)}?${nameQuery(query)}`;
  const condition = headers['if-none-match'] === undefined ? '' : ' with If-None-Match';
  const key = headers.authorization === undefined && !isKeyUnknown ? ' without a key' : '';
  const body = method === 'POST' ? ` ${nameBody({ headers, ...seen })}` : '';
  return `${method} ${asked}${body}${condition}${key}`;
}

function namePlace(place: string): string {
  if (/^\/pets\/?$/.test(place)) return place;
  const [, id, slash] = /^\/pets\/([^/]+)(\/?)$/.exec(place) ?? [];
  if (id === undefined) return '/{other path}';
  return `/pets/${/^-?\d{1,19}$/.test(id) ? '{petId}' : '{no integer}'}${slash}`;
}

function nameQuery(query: string): string {
  const parameters = [...new URLSearchParams(query)];
  return parameters.map(([name, value]) => nameParameter(name, value)).join('&');
}

function nameParameter(name: string, value: string): string {
  if (name === 'limit') return `limit=${nameLimit(value)}`;
  if (name !== 'status') return '{other}={value}';
  const isKnown = /^(?:(?:available|pending|sold)(?:,|$))*$/i.test(value);
  return `status=${isKnown ? value : '{other}'}`;
}

/** The suite draws some limits, so that two recordings have others of the same kind. */
function nameLimit(value: string): string {
  if (value === '') return '';
  if (/^-?0\d+$/.test(value)) return '{leading zero}';
  if (/^-?\d+\.\d+$/.test(value)) return '{fraction}';
  if (!/^-?\d+$/.test(value)) return '{no number}';
  if (Number(value) < 1) return '{below 1}';
  return Number(value) > 100 ? '{above 100}' : '{1 to 100}';
}

const USUAL_LENGTH = 40;

function nameBody({ headers, body, sent }: Pick<Seen, 'headers' | 'body' | 'sent'>): string {
  const type = headers['content-type'];
  const media =
    type === undefined
      ? 'of no media type'
      : /^application\/json/i.test(type)
        ? undefined
        : 'of another media type';
  const members = Object.entries(sent).map(([name, value]) => {
    if (name === 'name') return `name: ${nameText(value)}`;
    if (name === 'status')
      return `status: ${petStatuses.some((status) => status === value) ? value : '{other}'}`;
    if (name === 'categoryId') return `categoryId: ${typeof value === 'bigint' ? 'integer' : typeof value}`;
    return name === 'id' ? 'id' : '{other}';
  });
  const isObject =
    members.length > 0 || new TextDecoder().decode(body.subarray(0, USUAL_LENGTH)).trim() === '{}';
  const what = isObject ? `{${members.join(', ')}}` : body.length === 0 ? 'without a body' : '{no object}';
  return [what, members.length < countMembers(body, sent) ? 'with a member twice' : undefined, media]
    .filter(Boolean)
    .join(' ');
}

/** Returns the number of members that a body has in its text. */
function countMembers(body: Uint8Array, sent: Seen['sent']): number {
  return Object.keys(sent).length === 0 ? 0 : splitMembers(new TextDecoder().decode(body)).length;
}

function nameText(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (value.trim() === '') return value === '' ? 'empty' : 'spaces';
  if (!/^[\w .-]*$/.test(value)) return 'text with other characters';
  return value.length > USUAL_LENGTH ? 'long text' : 'text';
}
