import { Failed } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Context } from './context.ts';

/** @throws Failed for the response that lagged behind the longest, of those that are meant */
export function expectNoLag(context: Context, isMeant: (exchange: Exchange) => boolean): void {
  const finite = context.run.lags.filter(({ exchange, ms }) => Number.isFinite(ms) && isMeant(exchange));
  const [lag] = finite.toSorted((one, other) => other.ms - one.ms);
  if (lag !== undefined) throw new Failed({ kind: 'late', ms: Math.round(lag.ms) }, lag.exchange);
}
