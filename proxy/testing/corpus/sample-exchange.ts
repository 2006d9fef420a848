import type { DifferenceName } from './differences.ts';

/** A row of a table. The defaults are those of a list, or of a creation if a body is sent. */
export interface Row {
  readonly method?: string;
  /** Relative to the base URL. */
  readonly path?: string;
  /** In addition to a key and a media type. A header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly sent?: string | Buffer;
  readonly status?: number;
  readonly answered?: string | Buffer;
  readonly answerHeaders?: Readonly<Record<string, string | undefined>>;
  /** If the stock proxy differs: why, its status or end, and its violations. */
  readonly stock?: readonly [DifferenceName, number | 'hangs' | 'ends', ...string[]];
}

/** An exchange that both proxies must check with the same result, except for `stock`. */
export interface SampleExchange extends Required<Omit<Row, 'sent' | 'stock'>>, Pick<Row, 'sent' | 'stock'> {
  readonly title: string;
  /** True if the contract allows all of it. */
  readonly isConforming: boolean;
}

/** An exchange that the contract allows. */
export function allowed(title: string, row: Row): SampleExchange {
  return { title: `${title} is allowed`, isConforming: true, ...toExchange(row) };
}

/** An exchange that breaks a rule of the contract. */
export function reported(title: string, row: Row): SampleExchange {
  return { title: `${title} is reported`, isConforming: false, ...toExchange(row) };
}

function toExchange(row: Row): Omit<SampleExchange, 'title' | 'isConforming'> {
  const { sent, method = sent === undefined ? 'GET' : 'POST', path = '/pets' } = row;
  const { status = method === 'POST' ? 201 : 200, answered = answerTo(method, path, status) } = row;
  const json = { 'Content-Type': 'application/json' };
  const headers = { Authorization: 'Bearer test-key', ...(sent !== undefined && json), ...row.headers };
  return {
    ...row,
    method,
    path,
    headers,
    status,
    answered,
    answerHeaders: { ...json, ...row.answerHeaders },
  };
}

/** Returns a body that conforms: the list, the animal or an Error. */
function answerTo(method: string, path: string, status: number): string {
  if (status > 201) return `{"code":"code","message":"A message.","status":${status}}`;
  return method === 'POST' || path.startsWith('/pets/') ? printPet() : `[${printPet()}]`;
}

/** Prints an animal as JSON, with these members instead of its own. */
export function printPet(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ id: 1, name: 'Rex', categoryId: 2, status: 'available', ...members });
}

/** Headers of a response with this media type, or without one. */
export function ofType(type: string | undefined) {
  return { answerHeaders: { 'Content-Type': type } };
}

/** An answer without a body. */
export const nothing = { answered: '', ...ofType(undefined) };

/** A body that is sent to add an animal. */
export const newPet = '{"name":"Rex","categoryId":2}';

/** Lists members that each break a rule, with a title for each value of each name. */
export function listMembers(values: Readonly<Record<string, readonly unknown[]>>) {
  return Object.entries(values).flatMap(([name, all]) =>
    all.map((value) => ({
      title: value === undefined ? `no ${name}` : `the ${name} ${JSON.stringify(value)}`,
      members: { [name]: value },
    })),
  );
}
