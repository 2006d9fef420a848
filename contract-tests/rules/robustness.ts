import { type Exchange, isPathDecodable } from '../client/exchange.ts';
import type { History } from '../history/history.ts';
import { needsAdditions } from './additions.ts';
import { lookAtCategories } from './created.ts';
import { findErrorFault, isTooLong } from './errors.ts';
import { needsGetPet } from './get-pet-by-id.ts';
import { type Evidence, type Look, ONCE_WRONG, underHeading } from './rule.ts';
import { compare, isOfService, listAll, listAnswered, lookAtStatus, sight, wrongStatus } from './sight.ts';

export const robustnessClauses = underHeading('Robustness')([
  {
    id: 'recommended/strict-json',
    isOfWrites: true,
    sentence:
      'POST /pets refuses NaN and comments, even in unknown members (RFC 8259 lets a parser accept them).',
    needs: ['animals', 'unusual requests'],
    look: ({ history }) =>
      history.additions
        .filter(({ exchange }) => exchange.request.form === 'lenient JSON')
        .map(({ exchange }) =>
          lookAtStatus(exchange, '4xx', exchange.status >= 400 && exchange.status < 500),
        ),
  },
  {
    id: 'recommended/chunked-body',
    isOfWrites: true,
    sentence: 'POST /pets accepts a body that is sent in chunks, unless it requires a Content-Length (411).',
    needs: ['other spellings'],
    look: (evidence) =>
      lookAtForm(evidence, (headers) => headers['Transfer-Encoding'] !== undefined, '201 or 411'),
    findGap: needsAdditions,
  },
  {
    id: 'recommended/media-type-case',
    isOfWrites: true,
    sentence:
      'POST /pets accepts the media type application/json in any letter case (RFC 9110, section 8.3.1).',
    needs: ['other spellings'],
    look: (evidence) =>
      lookAtForm(evidence, (headers) => headers['Content-Type'] === 'Application/JSON', 201),
    findGap: needsAdditions,
  },
  {
    id: 'recommended/category-below-1',
    isOfWrites: true,
    sentence:
      'POST /pets accepts zero and negative categoryIds where it accepts positive ones that no animal has.',
    needs: ['unusual animals'],
    look: (evidence) => lookAtCategories(evidence, (categoryId) => categoryId < 1n),
    findGap: needsAdditions,
  },
  {
    id: 'recommended/undecodable-path',
    sentence: 'A path that is not UTF-8 or has a NUL is refused with a 4xx, not with a 5xx.',
    needs: ['unknown ids'],
    look: (evidence) =>
      evidence
        .once(listAll)
        .filter(({ path }) => path === '/pets/%E0%A4' || path === '/pets/%00')
        // A success is left to get-pet/non-integer.
        .map((exchange) =>
          lookAtStatus(exchange, '4xx', exchange.response !== undefined && exchange.status < 500),
        ),
    findGap: needsGetPet,
  },
  {
    id: 'recommended/long-path',
    sentence:
      'An id of 400 digits or more, or a long key, that is refused as too long (400, 414, 431) gets an Error.',
    needs: ['unknown ids', 'keys'],
    look: (evidence) =>
      evidence.once(listAnswered).flatMap((exchange) => {
        if (!isTooLong(exchange)) return /^\/pets\/9{400}/.test(exchange.path) ? [compare(exchange)] : [];
        const fault = findErrorFault(exchange);
        return [fault === undefined ? compare(exchange) : sight(exchange, fault)];
      }),
  },
  {
    id: ONCE_WRONG,
    sentence: 'No response is wrong once, while the others to the same request are right.',
    // The judge adds what other clauses have seen once.
    look: ({ history }) => history.exchanges.map((exchange) => compare(exchange)),
  },
]);

/** Looks whether an ordinary animal is accepted that is sent in another way. The same animal in the usual way may be refused too. */
function lookAtForm(
  { history }: Evidence,
  isMeant: (headers: Readonly<Record<string, string>>) => boolean,
  expected: 201 | '201 or 411',
): readonly Look[] {
  return history.additions.flatMap(({ exchange, sent }) => {
    const { headers, form } = exchange.request;
    if (!isMeant(headers) || form !== undefined || sent === undefined) return [];
    if (exchange.isSuccess || (exchange.status === 411 && expected === '201 or 411'))
      return [compare(exchange)];
    const isRefused = [400, 406, 411, 415].includes(exchange.status) || exchange.status >= 500;
    const isAccepted = history.additions.some(
      (other) =>
        other.exchange.isAddition &&
        other.sent?.status === sent.status &&
        !isMeant(other.exchange.request.headers),
    );
    if (!isRefused || !isAccepted) return [];
    const mediaType = headers['Content-Type'] ?? '';
    const request = expected === 201 ? ({ what: 'media type', mediaType } as const) : undefined;
    return [sight(exchange, wrongStatus(exchange, expected, request))];
  });
}

/** Lists what a gateway, or the network, did not pass on: what was sent again, and each page of a gateway that says so. */
export function listInterrupted({ exchanges, unanswered }: History): readonly Exchange[] {
  const sentAgain = new Set(unanswered);
  return exchanges.filter((one) => {
    const isLost = !isOfService(one) && !one.isTooMany;
    return isLost && isPathDecodable(one.request) && (sentAgain.has(one) || one.isUnreached);
  });
}
