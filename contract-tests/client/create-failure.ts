import type { Failure, Fault } from '../failures/failure.ts';
import { type Exchange, toOperation } from './exchange.ts';

/** Joins a fault with what the exchange that shows it has of it. */
export function createFailure(fault: Fault, exchange: Exchange): Failure {
  const { request, response, failure, isPage } = exchange;
  const said = findSaid(exchange);
  return {
    ...fault,
    operation: toOperation(request),
    ...(response !== undefined && { status: response.status }),
    ...(failure !== undefined && { noResponse: failure.reason }),
    ...(said !== undefined && { said }),
    ...(isPage && { isPage }),
  };
}

/** Finds what the deployment says with a 4xx or 5xx: its message, the title of a page, or else the text of the body. */
function findSaid(exchange: Exchange): string | undefined {
  const { status, object, response, title } = exchange;
  if (status < 400) return undefined;
  const message = object?.message;
  const body = String(response?.body ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const text = typeof message === 'string' ? message : (title ?? body);
  return text === '' ? undefined : exchange.shorten(text);
}
