import { defineClauses } from '../core/clause.ts';
import { isSuccess } from '../core/read-exchange.ts';
import { expectOfResponses, findMediaTypeFault } from './errors/expect-of-responses.ts';

/** What holds for every response with content. */
export const serviceClauses = defineClauses('What the service does', [], {
  'service/media-type': {
    sentence: 'Every response with an animal or a list has the media type application/json.',
    observes: true,
    run: (context) =>
      expectOfResponses(
        context,
        (exchange) => isSuccess(exchange) && exchange.response?.body.length !== 0,
        'application/json',
        findMediaTypeFault,
      ),
  },
});
