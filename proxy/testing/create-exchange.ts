import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import type { Exchange, ExchangeRequest, ExchangeResponse, Refusal } from '../exchange.ts';
import { FindingsRecord } from '../findings/findings-record.ts';
import { loadCheck } from '../load-check.ts';

const check = await loadCheck(loadContract(), new Keys());

/** The upstream that did not answer. */
export const down: Refusal = { code: 'upstream_failed', message: 'It is down.' };

/** The body of an Error. */
export const printError = (status: number) =>
  Buffer.from(JSON.stringify({ code: 'code', message: 'A message.', status }));

/**
 * Creates an exchange of a GET with a key, as it was checked.
 * @param response in place of an empty list; without one the client gave up. @param request what differs in it
 */
export function createExchange(
  target: string,
  response?: Partial<ExchangeResponse> | Refusal,
  request: Partial<ExchangeRequest> = {},
): Exchange {
  const [path = '', query = ''] = target.split('?');
  const sent: ExchangeRequest = {
    ...{ method: 'GET', target: `/v1${target}`, path, query, body: Buffer.of() },
    headers: { authorization: 'Bearer the-key' },
    ...request,
  };
  const { checkResponse, ...found } = check(sent);
  const common = { request: sent, ...found, answered: undefined };
  if (response === undefined || 'code' in response)
    return { ...common, response: undefined, refusal: response };
  const json = { 'content-type': 'application/json' };
  const whole = { status: 200, headers: json, body: Buffer.from('[]'), ...response };
  const { violations, brokenRules, answered } = checkResponse(whole);
  const all = [...found.violations, ...violations, ...brokenRules];
  return { ...common, response: whole, violations: all, answered, refusal: undefined };
}

/** Returns what a run with these exchanges has found. */
export function findIn(...exchanges: readonly Exchange[]) {
  const record = new FindingsRecord(loadContract(), new Keys());
  for (const exchange of exchanges) record.add(exchange, 'https://staging.example');
  return record.read();
}
