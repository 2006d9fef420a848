import { defineClauses } from '../core/clause.ts';
import { type Exchange, isSuccess } from '../core/exchange.ts';
import { expectOfResponses, findMediaTypeFault } from './errors/expect-of-responses.ts';

/** What holds for every response with content. */
export const serviceClauses = defineClauses('What the service does', [], {
  'service/media-type': {
    sentence:
      'Every response with an animal or a list has the media type application/json, and no byte order mark.',
    observes: true,
    run: (context) => expectOfResponses(context, hasContent, 'application/json', findMediaTypeFault),
  },
});

function hasContent(exchange: Exchange): boolean {
  return isSuccess(exchange) && exchange.response?.body.length !== 0;
}
