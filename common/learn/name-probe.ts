import { type ExactJson, isJsonObject, type JsonObject, parseExactJson } from '../json/exact-json.ts';
import { isInt64 } from '../json/int64.ts';
import { type Exchange, hasValidKey, isAscii, isPathDecodable, isReading } from './exchange.ts';
import { type FinishedRun, furtherOf, hasMemberTwice, isPlainName } from './finished-run.ts';
import { isStatus, MOST_LISTED, WITH_SLASH } from './lists.ts';
import { hasNotation } from './new-pet.ts';

/** A name or body that is longer than these may be refused for its size, in characters. */
const LONG_NAME = 100;
const LARGE_BODY = 10_000;

/**
 * Names what a request probes, such as `POST /pets, empty name`. Every run has the same names, whatever its seed and its
 * deployment, because a name has no id, no key and nothing that a deployment has sent.
 */
export function nameProbe(exchange: Exchange, run: FinishedRun): string {
  const { request } = exchange;
  const [place = '', query] = request.path.split(/\?(.*)/s);
  const target =
    query === undefined
      ? namePlace(exchange, place, run)
      : `${namePlace(exchange, place, run)}?${nameQuery(query)}`;
  const details = [nameKey(exchange, run), nameOrigin(exchange), ...nameBody(exchange, run)];
  return [`${request.method} ${target}`, ...details.filter((detail) => detail !== undefined)].join(', ');
}

function namePlace(exchange: Exchange, place: string, run: FinishedRun): string {
  if (place === '/pets' || place === WITH_SLASH) return place;
  const [, id] = /^\/pets\/(.+)$/s.exec(place) ?? [];
  if (id === undefined) return '/{other path}';
  if (/^-?\d+$/.test(id)) {
    if (!isInt64(BigInt(id))) return '/pets/{no int64}';
    const shownAt = run.shownAt.get(BigInt(id)) ?? Number.POSITIVE_INFINITY;
    return exchange.isSuccess || shownAt <= exchange.at ? '/pets/{animal}' : '/pets/{unknown id}';
  }
  if (!isPathDecodable(exchange.request)) return '/pets/{malformed}';
  return /^[a-z]+$/.test(id) ? '/pets/{word}' : '/pets/{other text}';
}

function nameQuery(query: string): string {
  const parameters = query.split('&').map((parameter) => parameter.split(/=(.*)/s));
  return parameters.map(([name = '', value = '']) => nameParameter(name, value)).join('&');
}

function nameParameter(name: string, value: string): string {
  if (name === 'limit') return `limit={${nameLimit(value)}}`;
  return name === 'status' ? `status={${nameStatus(value)}}` : '{other}';
}

function nameLimit(value: string): string {
  if (value === '') return 'empty';
  if (/^-?0\d+$/.test(value)) return 'leading zero';
  if (/^-?\d+\.\d+$/.test(value)) return 'fraction';
  if (!/^(?:0|-?[1-9]\d*)$/.test(value)) return 'no number';
  if (Number(value) < 1) return 'below 1';
  return Number(value) > MOST_LISTED ? 'above 100' : '1 to 100';
}

function nameStatus(value: string): string {
  if (value === '') return 'empty';
  if (isStatus(value)) return 'status';
  if (value.split(',').every((one) => isStatus(one))) return 'several';
  return isStatus(value.toLowerCase()) ? 'status in another case' : 'other';
}

function nameKey(exchange: Exchange, { target }: FinishedRun): string | undefined {
  if (hasValidKey(exchange, target)) return undefined;
  const { Authorization } = exchange.request.headers;
  if (Authorization === undefined) return 'no key';
  if (Authorization === `bearer ${target.apiKey}`) return 'bearer in lower case';
  if (!isAscii(Authorization)) return 'key that is not ASCII';
  return Authorization.startsWith('Bearer ') ? 'wrong key' : 'wrong scheme';
}

/** A page of another origin may get other headers. */
function nameOrigin({ request }: Exchange): string | undefined {
  const names = Object.keys(request.headers).map((name) => name.toLowerCase());
  if (names.includes('access-control-request-method')) return 'preflight';
  return names.includes('origin') ? 'from a page' : undefined;
}

function nameBody(exchange: Exchange, run: FinishedRun): (string | undefined)[] {
  const { request } = exchange;
  // Without the key, a service reads no body.
  if (isReading(request) || !hasValidKey(exchange, run.target)) return [];
  const { body = '', headers } = request;
  const type = headers['Content-Type'];
  return [
    type === undefined || /^application\/json/i.test(type) ? undefined : 'another media type',
    type === undefined && body !== '' ? 'no media type' : undefined,
    headers['Content-Encoding'] === undefined ? undefined : 'encoded body',
    request.encoding === undefined ? undefined : 'no UTF-8',
    ...nameContent(exchange, body, run),
  ];
}

function nameContent(exchange: Exchange, body: string, run: FinishedRun): (string | undefined)[] {
  if (body === '') return ['no body'];
  if (body.length > LARGE_BODY) return ['large body'];
  const value = parse(body);
  if (value === undefined) return ['no JSON'];
  if (!isJsonObject(value)) return ['no object'];
  return [
    nameName(exchange, value, run),
    nameCategory(exchange, value, run),
    nameStatusOf(value),
    Object.hasOwn(value, 'id') ? 'own id' : undefined,
    furtherOf(value).length > 0 ? 'further members' : undefined,
    hasMemberTwice(exchange) ? 'member twice' : undefined,
  ];
}

function parse(body: string): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

function nameName(exchange: Exchange, { name }: JsonObject, run: FinishedRun): string | undefined {
  if (name === undefined) return 'without name';
  if (typeof name !== 'string') return 'name no text';
  if (name === '') return 'empty name';
  if (/^ +$/.test(name)) return 'name of spaces';
  if (name.length > LONG_NAME) return 'long name';
  if (!isPlainName(name)) return 'unusual name';
  if (run.isTaken(exchange)) return 'taken name';
  return run.isTakenInOtherCase(exchange) ? 'taken name in another case' : undefined;
}

function nameCategory(exchange: Exchange, { categoryId }: JsonObject, run: FinishedRun): string | undefined {
  if (categoryId === undefined) return 'without categoryId';
  if (typeof categoryId !== 'bigint') return 'categoryId no integer';
  if (!isInt64(categoryId)) return 'categoryId no int64';
  if (hasNotation(exchange)) return 'categoryId in another notation';
  return run.listedCategories.has(categoryId) ? undefined : 'unlisted category';
}

function nameStatusOf({ status }: JsonObject): string | undefined {
  if (status === undefined) return 'without status';
  if (status === null) return 'status null';
  if (typeof status !== 'string') return 'status no text';
  return isStatus(status) ? undefined : 'wrong status';
}
