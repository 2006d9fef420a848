import { get, type HttpRequest, post } from '../../../mock/testing/http-case.ts';
import type { DifferenceName } from './differences.ts';

/** An exchange that two proxies are to judge alike. */
export interface SampleExchange {
  readonly title: string;
  /** Its path is relative to the base URL. */
  readonly request: HttpRequest;
  readonly response: SampleResponse;
  /** Whether the contract allows all of it. */
  readonly isLawful: boolean;
  readonly difference?: StockDifference;
}

/** What the upstream answers. */
export interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** What a client has from a proxy: an answer with its violations, no answer, or the end of the proxy's process. */
export type Outcome = { readonly status: number; readonly violations: readonly string[] } | 'hangs' | 'ends';

/** Where the stock proxy says something else than ours. */
export interface StockDifference {
  readonly name: DifferenceName;
  readonly outcome: Outcome;
}

const json = { 'Content-Type': 'application/json' };

/** An answer of the upstream. */
export function answer(
  status: number,
  body: SampleResponse['body'] = '',
  headers: SampleResponse['headers'] = json,
): SampleResponse {
  return { status, headers, body };
}

/** An Error body, as the contract wants it. */
export function errorAnswer(status: number): SampleResponse {
  return answer(status, `{"code":"code","message":"A message.","status":${status}}`);
}

/** An animal, in JSON, with these members in the place of its own. */
export function printPet(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ id: 1, name: 'Rex', categoryId: 2, status: 'available', ...members });
}

/** An exchange that the contract allows. */
export function lawful(
  title: string,
  request: HttpRequest,
  response: SampleResponse,
  difference?: StockDifference,
): SampleExchange {
  return { title, request, response, isLawful: true, ...(difference && { difference }) };
}

/** An exchange that breaks a rule of the contract. */
export function unlawful(
  title: string,
  request: HttpRequest,
  response: SampleResponse,
  difference?: StockDifference,
): SampleExchange {
  return { title, request, response, isLawful: false, ...(difference && { difference }) };
}

/** A difference in which the stock proxy answers this status with these violations. */
export function stockSays(name: DifferenceName, status: number, ...violations: string[]): StockDifference {
  return { name, outcome: { status, violations } };
}

/** A list of animals that is asked for and answered. */
export const list = { request: get('/pets'), response: answer(200, `[${printPet()}]`) };

/** An animal that is added. */
export const creation = {
  request: post('/pets', '{"name":"Rex","categoryId":2}'),
  response: answer(201, printPet()),
};

/** An animal that is fetched. */
export const fetched = { request: get('/pets/1'), response: answer(200, printPet()) };
