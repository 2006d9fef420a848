import { defineClauses } from '../core/clause.ts';
import { isTooMany } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { type Exchange, outcomeOf, readJson, readObject, shorten } from '../core/exchange.ts';
import { findSchemaFault } from '../core/find-schema-fault.ts';
import { REMOVAL } from '../core/get-pet-removal.ts';
import { expectOfResponses, findMediaTypeFault } from './errors/expect-of-responses.ts';

/** What holds for every error response of the run. */
export const errorsClauses = defineClauses('Errors', [], {
  'errors/body': {
    sentence: 'Every error response has an Error body: strings code and message, and an integer status.',
    tolerated: [
      {
        open: 'the values of code in an Error, and other fields',
        answers: 'any string; any further fields',
      },
    ],
    observes: true,
    run: (context) =>
      expectOfResponses(context, isError, 'an Error', (exchange) => {
        const fault = findSchemaFault('Error', readJson(exchange));
        const text = exchange.response?.body.toString('utf8') ?? '';
        return (
          fault === undefined || `${outcomeOf(exchange)} with ${shorten(text) || 'an empty body'}: ${fault}`
        );
      }),
  },
  'errors/status': {
    sentence: 'The status in an Error body is the HTTP status.',
    explainedBy: ['errors/body'],
    tolerated: [
      { open: 'statuses other than 400, 401 and 404', answers: 'any 4xx where no sentence names one' },
    ],
    observes: true,
    run: (context) =>
      expectOfResponses(context, isError, 'the HTTP status in the field status', (exchange) => {
        const status = readObject(exchange)?.status;
        if (typeof status !== 'bigint') return false;
        const isOther = status !== BigInt(exchange.response?.status ?? 0);
        return isOther ? `${status} in the body of a ${outcomeOf(exchange)}` : true;
      }),
  },
  'errors/media-type': {
    sentence: 'Every error response has the media type application/json.',
    explainedBy: ['errors/body', 'service/media-type'],
    observes: true,
    run: (context) => expectOfResponses(context, isError, 'application/json', findMediaTypeFault),
  },
  'errors/no-server-fault': {
    sentence: 'Every request is answered in time, with no 5xx and no cut connection.',
    tolerated: [{ open: 'rate limits', answers: '429, which is waited for (--retries, --max-rate)' }],
    observes: true,
    run: (context) =>
      expectOfResponses(
        context,
        () => true,
        'a status below 500',
        (exchange) => isAnswered(exchange, context) || outcomeOf(exchange),
      ),
  },
});

/** Whether a request was answered by the service: a 503 may ask to wait, and a 501 tell that an operation is removed. */
function isAnswered({ request, response }: Exchange, { target }: Context): boolean {
  if (response === undefined) return false;
  const isGone = response.status === 501 && target.now >= REMOVAL && request.path.startsWith('/pets/');
  return response.status < 500 || isTooMany(response) || isGone;
}

/** A path that is not UTF-8 reaches no operation: many frameworks refuse it before, with a body of their own. */
function isError({ request, response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && isDecodable(request.path);
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
