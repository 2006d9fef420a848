import type { ExactJson } from '../../common/json/exact-json.ts';
import { splitMembers } from '../choices/split-members.ts';
import { serviceContract } from '../contract.ts';
import type { Seen } from './read-recording.ts';

/**
 * Names a request without ids, names, keys and anything else that a recording should keep to itself, such as
 * `GET /pets?limit={no number}` or `POST /pets {name: long text, categoryId: integer}`.
 */
export function nameRequest(seen: Seen): string {
  const { method, path, headers, isKeyUnknown } = seen;
  const [place = '', query] = path.split(/\?(.*)/s);
  const asked = query === undefined ? '' : `?${[...new URLSearchParams(query)].map(nameParameter).join('&')}`;
  const body = method === 'POST' ? ` ${nameBody(seen)}` : '';
  const condition = headers['if-none-match'] === undefined ? '' : ' with If-None-Match';
  const key = headers.authorization === undefined && !isKeyUnknown ? ' without a key' : '';
  return `${method} ${namePlace(place)}${asked}${body}${condition}${key}`;
}

function namePlace(place: string): string {
  if (/^\/pets\/?$/.test(place)) return place;
  const [, id, slash] = /^\/pets\/([^/]+)(\/?)$/.exec(place) ?? [];
  if (id === undefined) return '/{other path}';
  return `/pets/${nameId(id)}${slash}`;
}

function nameId(id: string): string {
  if (/^-?\d{1,19}$/.test(id)) return '{petId}';
  try {
    decodeURIComponent(id);
    return '{no integer}';
  } catch {
    return '{not UTF-8}';
  }
}

const { limit, filters, members } = serviceContract;

function nameParameter([name, text]: [string, string]): string {
  if (name === limit.name) return `${name}=${nameLimit(text)}`;
  const filter = filters.find((one) => one.name === name);
  if (filter === undefined) return '{other}={value}';
  const isListed = (one: string) => one === '' || filter.values?.includes(one.toLowerCase()) === true;
  return `${name}=${text.split(',').every(isListed) ? text : '{other}'}`;
}

/** The suite draws some limits, so that two recordings have others of the same kind. */
function nameLimit(text: string): string {
  if (text === '') return '';
  if (/^-?0\d+$/.test(text)) return '{leading zero}';
  if (/^-?\d+\.\d+$/.test(text)) return '{fraction}';
  if (!/^-?\d+$/.test(text)) return '{no number}';
  if (Number(text) < 1) return '{below 1}';
  return limit.isValid(limit.read(text)) ? '{1 to 100}' : '{above 100}';
}

function nameBody({ headers, body, sent }: Seen): string {
  const type = headers['content-type'];
  const isJson = type !== undefined && /^application\/json/i.test(type);
  const media = type === undefined ? ' of no media type' : isJson ? '' : ' of another media type';
  const text = new TextDecoder().decode(body);
  const given = Object.entries(sent);
  if (given.length === 0 && text.trim() !== '{}')
    return `${text === '' ? 'without a body' : '{no object}'}${media}`;
  const twice = given.length < splitMembers(text).length ? ' with a member twice' : '';
  return `{${given.map(nameMember).join(', ')}}${twice}${media}`;
}

function nameMember([name, value]: [string, ExactJson]): string {
  const member = members.find((one) => one.name === name);
  if (member === undefined) return '{other}';
  if (!member.isGiven) return name;
  if (member.values !== undefined) return `${name}: ${member.isValid(value) ? String(value) : '{other}'}`;
  if (typeof value === 'string') return `${name}: ${nameText(value)}`;
  return `${name}: ${value === null ? 'null' : typeof value === 'bigint' ? 'integer' : typeof value}`;
}

const USUAL_LENGTH = 40;

function nameText(text: string): string {
  if (text.trim() === '') return text === '' ? 'empty' : 'spaces';
  if (!/^[\w .-]*$/.test(text)) return 'text with other characters';
  return text.length > USUAL_LENGTH ? 'long text' : 'text';
}
