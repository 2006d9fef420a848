import type { AnimalFacts } from '../../common/json/animal-facts.ts';
import { isJsonObject, readExactJson } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import type { RequestForm } from '../failures/failure.ts';
import type { Addition } from '../history/history.ts';
import { isValueOf } from '../history/member-values.ts';
import { findFullStore } from './additions.ts';
import type { Evidence, Look } from './rule.ts';
import { isRefusedAsFull, lookAtStatus } from './sight.ts';

/** What is wrong with a body, as far as the contract says. */
export type BodyKind = 'malformed' | 'no object' | `no ${string}` | `invalid ${string}`;

/** Bodies up to this length may not be refused for their size, in characters. */
const LARGE_BODY = 200;

/** Groups the additions by what is wrong with their bodies. */
function groupByKind({ history }: Evidence): ReadonlyMap<BodyKind | undefined, readonly Addition[]> {
  return Map.groupBy(history.additions, ({ exchange }) => findBodyKind(exchange, history.contract));
}

const JSON_TYPE = 'application/json';

/** Bodies that a server may refuse in any way, but not accept. */
const UNUSUAL: RequestForm = 'an unusual body';

/** Finds what is wrong with a body. Undefined if nothing is, or if the request is unusual in another way. */
function findBodyKind({ request }: Exchange, facts: AnimalFacts): BodyKind | undefined {
  const { body, headers, form, encoding } = request;
  if (body === undefined || encoding !== undefined) return undefined;
  const isPlain = headers['Content-Type']?.split(';')[0] === JSON_TYPE && !('Content-Encoding' in headers);
  const isOfForm = form === undefined ? isPlain : form === UNUSUAL;
  return isOfForm ? findKind(body, facts) : undefined;
}

/** Finds what is wrong with a body if it is read as JSON. */
function findKind(body: string, { newPet }: AnimalFacts): BodyKind | undefined {
  if (body === '') return 'no object';
  const value = readExactJson(body);
  if (value === undefined) return 'malformed';
  if (!isJsonObject(value)) return 'no object';
  const missing = newPet.find(({ name, isRequired }) => isRequired && value[name] === undefined);
  if (missing !== undefined) return `no ${missing.name}`;
  const invalid = newPet.find((one) => value[one.name] !== undefined && !isValueOf(one, value[one.name]));
  return invalid && `invalid ${invalid.name}`;
}

export function lookAtRefusals(evidence: Evidence, kind: BodyKind): readonly Look[] {
  const { history, target } = evidence;
  const isCategoryKnown =
    target.categoryId !== undefined ||
    [...history.animals.values()].some(({ observations }) =>
      observations.some(({ shown }) => typeof shown?.categoryId === 'bigint'),
    );
  return (evidence.once(groupByKind).get(kind) ?? []).flatMap(({ exchange }) => {
    const {
      status,
      request: { body = '', headers, form },
    } = exchange;
    if (form === UNUSUAL) return [lookAtStatus(exchange, '4xx', !exchange.isSuccess, { what: 'form', form })];
    // Without an animal the category may be unknown, which may have another status.
    const isUnknown = history.marks.categories.has(exchange.sent.categoryId);
    const isOfUnknown = isUnknown || (!isCategoryKnown && /"categoryId":1[,}]/.test(body));
    const isPerhapsUnknown = isOfUnknown && status > 401 && status < 500;
    const isOfFullStore = isRefusedAsFull(exchange) && findFullStore(evidence) !== undefined;
    if (isPerhapsUnknown || isOfFullStore) return [];
    // Whether a charset is refused is for the clause about valid animals.
    const isOfType = status === 415 && headers['Content-Type'] !== JSON_TYPE;
    const isMet = status === 400 || isOfType || (status === 413 && body.length > LARGE_BODY);
    const look = lookAtStatus(exchange, 400, isMet, { what: 'body', body: exchange.shorten(body) });
    return ['fault' in look ? { ...look, subject: kind } : look];
  });
}

/** Looks at requests without a body, and with one of another media type. */
export function lookAtOtherTypes({ history }: Evidence): readonly Look[] {
  return history.additions.flatMap(({ exchange }) => {
    const { body, headers } = exchange.request;
    const isOther = body === '{}' && headers['Content-Type'] === 'text/plain';
    if (body !== undefined && !isOther) return [];
    return [lookAtStatus(exchange, '4xx', exchange.status >= 400 && exchange.status < 500)];
  });
}

/** Looks at bodies that are not plain text in UTF-8: they get no 5xx, and are no NewPet. */
export function lookAtUnreadable({ history }: Evidence): readonly Look[] {
  return history.additions.flatMap(({ exchange }) => {
    const { form } = exchange.request;
    if (form !== 'a byte order mark' && form !== 'bytes that are not UTF-8') return [];
    return [
      lookAtStatus(exchange, '4xx', exchange.status >= 400 && exchange.status < 500, { what: 'form', form }),
    ];
  });
}
