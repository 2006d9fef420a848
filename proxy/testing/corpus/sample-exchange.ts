import type { HttpRequest } from '../../../mock/testing/http-case.ts';
import type { DifferenceName } from './differences.ts';

/** An exchange that two proxies are to judge alike. */
export interface SampleExchange {
  readonly title: string;
  /** Its path is relative to the base URL. */
  readonly request: HttpRequest;
  readonly response: SampleResponse;
  /** Whether the contract allows all of it. */
  readonly isConforming: boolean;
  /** Where the stock proxy says something else than ours. */
  readonly difference?: { readonly name: DifferenceName; readonly outcome: Outcome } | undefined;
}

/** What the upstream answers. */
interface SampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** What a client has from a proxy: an answer with its violations, no answer, or the end of the proxy's process. */
export type Outcome = { readonly status: number; readonly violations: readonly string[] } | 'hangs' | 'ends';

/** An exchange as a table tells it. What is left out is that of a list that is asked for, or of a creation if a body is sent. */
export interface Told {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: HttpRequest['headers'];
  readonly sent?: string | Buffer;
  readonly status?: number;
  readonly answered?: string | Buffer;
  /** Of the response; an empty one is none. */
  readonly type?: string;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** What the stock proxy does instead: why, its status or end, and its violations. */
  readonly stock?: readonly [DifferenceName, number | 'hangs' | 'ends', ...string[]];
}

/** An exchange that the contract allows. */
export function allowed(title: string, told: Told): SampleExchange {
  return { title: `${title} is allowed`, isConforming: true, ...toExchange(told) };
}

/** An exchange that breaks a rule of the contract. */
export function reported(title: string, told: Told): SampleExchange {
  return { title: `${title} is reported`, isConforming: false, ...toExchange(told) };
}

function toExchange(told: Told): Omit<SampleExchange, 'title' | 'isConforming'> {
  const { sent, method = sent === undefined ? 'GET' : 'POST', path = '/pets' } = told;
  const { status = method === 'POST' ? 201 : 200, type = 'application/json' } = told;
  const sentType = sent === undefined ? {} : { 'Content-Type': 'application/json' };
  const answerType: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
  const body = told.answered ?? answerTo(method, path, status);
  const request = { method, path, headers: { ...sentType, ...told.headers } };
  return {
    request: sent === undefined ? request : { ...request, body: sent },
    response: { status, headers: { ...answerType, ...told.answerHeaders }, body },
    difference: told.stock && toDifference(told.stock),
  };
}

function toDifference([name, outcome, ...violations]: NonNullable<Told['stock']>) {
  return { name, outcome: typeof outcome === 'number' ? { status: outcome, violations } : outcome };
}

/** What the contract wants: the list or the animal that is asked for, otherwise an Error. */
function answerTo(method: string, path: string, status: number): string {
  if (status > 201) return `{"code":"code","message":"A message.","status":${status}}`;
  return method === 'POST' || path.startsWith('/pets/') ? printPet() : `[${printPet()}]`;
}

/** An animal, in JSON, with these members in the place of its own. */
export function printPet(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ id: 1, name: 'Rex', categoryId: 2, status: 'available', ...members });
}

/** An answer without a body. */
export const nothing = { answered: '', type: '' };

/** A body that is sent to add an animal. */
export const newPet = '{"name":"Rex","categoryId":2}';

/** Names members and their values. */
export function describeMembers(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, value]) => (value === undefined ? `no ${name}` : `the ${name} ${JSON.stringify(value)}`))
    .join(' and ');
}
