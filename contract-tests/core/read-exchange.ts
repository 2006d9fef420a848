import { type ExactJson, isJsonObject, type JsonObject, parseExactJson } from '../../common/exact-json.ts';
import type { Exchange, SuiteRequest, SuiteResponse } from './exchange.ts';
import { Skipped } from './result.ts';

/** What was read before: some clauses look at every exchange of the run. */
const read = new WeakMap<SuiteResponse, ExactJson | undefined>();

/** The body of a response as JSON; undefined when it is not JSON. */
export function readJson({ response }: Exchange): ExactJson | undefined {
  if (response === undefined) return undefined;
  if (!read.has(response)) read.set(response, parse(response.body));
  return read.get(response);
}

/** The object that was answered, whatever the status; undefined when it is not an object. */
export function readObject(exchange: Exchange): JsonObject | undefined {
  const value = readJson(exchange);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** The animal that was answered with 200 or 201; undefined when there was none. */
export function readAnimal(exchange: Exchange): JsonObject | undefined {
  const status = exchange.response?.status;
  return status === 200 || status === 201 ? readObject(exchange) : undefined;
}

/** The object that was sent; an empty one when the body was not an object. */
export function readSent({ body = '' }: SuiteRequest): JsonObject {
  const value = parse(body);
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** What an exchange ended with, in a few words. */
export function outcomeOf({ response, failure }: Exchange): string {
  return response === undefined ? `no answer (${failure})` : String(response.status);
}

/** Whether an exchange ended with a 2xx. */
export function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** @throws Skipped when an exchange ended with a 5xx or without an answer, which is a clause of its own. */
export function expectNoServerFault(exchange: Exchange): void {
  const { request, response } = exchange;
  if (response !== undefined && response.status < 500) return;
  throw new Skipped(
    `${request.method} ${shorten(request.path)} was answered ${outcomeOf(exchange)}: see errors/no-server-fault`,
  );
}

/** The longest text that is put into a message, in characters. */
const LONGEST_TEXT = 100;

/** The beginning of a text. */
export function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function parse(body: Buffer | string): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}
