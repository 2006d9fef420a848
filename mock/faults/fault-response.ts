import { errorStatuses } from '../../common/http/errors.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';

/** Response of a fault. */
export interface FaultResponse {
  /** From 400 to 599; with a `body` from 200 on, which is `''` for 204 and 304. @default with a `body` the usual status of the operation */
  readonly status?: number;
  /** For example `{ 'Retry-After': 30 }`. Headers for the framing, such as Content-Length, are refused. */
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Instead of an Error: any JSON value, or a string, which is sent as it is. Its default Content-Type is JSON. */
  readonly body?: unknown;
  /** Message of the Error. */
  readonly message?: string;
}

export interface FaultedRequest {
  readonly operation: OperationName | undefined;
  readonly faultId: number;
}

/** Headers that go with a status. Source: RFC 9110 section 10.2.3; RFC 6585 section 4 */
const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'Www-Authenticate': 'Bearer' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '1' },
};

const usualStatuses: Readonly<Record<OperationName, number>> = {
  listPets: 200,
  getPet: 200,
  createPet: 201,
  createMessage: 202,
};

/** Returns whether a response with this status never has a body. Source: RFC 9110 section 6.4.1 */
export function isBodiless(status: number | undefined): boolean {
  return status === 204 || status === 304;
}

export function createFaultReply(response: FaultResponse, { operation, faultId }: FaultedRequest): Reply {
  const { body } = response;
  const status = response.status ?? (operation === undefined ? 200 : usualStatuses[operation]);
  const headers = { ...headersOf[status], ...toUsualNames(response.headers), ...toFaultHeader(faultId) };
  if (body === undefined) {
    // Without the id, which depends on the tests before: apps show the message, and tests compare it.
    const { message = `Simulated failure: ${status}` } = response;
    const [code = 'fault'] = Object.entries(errorStatuses).find(([, known]) => known === status) ?? [];
    const reply = createReply(status, JSON.stringify({ code, message, status }), headers);
    return { ...reply, error: { code, message } };
  }
  if (isBodiless(status)) return { status, headers, body: '' };
  return createReply(status, typeof body === 'string' ? body : printExactJson(body as ExactJson), headers);
}

export function toFaultHeader(faultId: number): Reply['headers'] {
  return { 'X-Fault': faultId };
}

/** Spells names as in `Retry-After`, so that headers of a fault override the usual ones. */
function toUsualNames(headers: Reply['headers'] = {}): Reply['headers'] {
  const spell = (name: string) =>
    name.toLowerCase().replaceAll(/(?<![^-])[a-z]/g, (char) => char.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]));
}
