import type { DifferenceName } from './differences.ts';

/** An exchange as a table tells it. What is left out is that of a list that is asked for, or of a creation if a body is sent. */
export interface Row {
  readonly method?: string;
  /** Relative to the base URL. */
  readonly path?: string;
  /** Beside a key and a media type; a header that is undefined is not sent, of the response neither. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly sent?: string | Buffer;
  readonly status?: number;
  readonly answered?: string | Buffer;
  readonly answerHeaders?: Readonly<Record<string, string | undefined>>;
  /** What the stock proxy does instead: why, its status or end, and its violations. */
  readonly stock?: readonly [DifferenceName, number | 'hangs' | 'ends', ...string[]];
}

/** An exchange that two proxies are to judge alike, but for what `stock` tells. */
export interface SampleExchange extends Required<Omit<Row, 'sent' | 'stock'>>, Pick<Row, 'sent' | 'stock'> {
  readonly title: string;
  /** Whether the contract allows all of it. */
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

/** What the contract wants: the list or the animal that is asked for, otherwise an Error. */
function answerTo(method: string, path: string, status: number): string {
  if (status > 201) return `{"code":"code","message":"A message.","status":${status}}`;
  return method === 'POST' || path.startsWith('/pets/') ? printPet() : `[${printPet()}]`;
}

/** An animal, in JSON, with these members in the place of its own. */
export function printPet(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ id: 1, name: 'Rex', categoryId: 2, status: 'available', ...members });
}

/** Headers of a response of this media type, or of none. */
export function ofType(type: string | undefined) {
  return { answerHeaders: { 'Content-Type': type } };
}

/** An answer without a body. */
export const nothing = { answered: '', ...ofType(undefined) };

/** A body that is sent to add an animal. */
export const newPet = '{"name":"Rex","categoryId":2}';

/** Members that each break a rule: for each name its values, and a title for each of them. */
export function listMembers(values: Readonly<Record<string, readonly unknown[]>>) {
  return Object.entries(values).flatMap(([name, all]) =>
    all.map((value) => ({
      title: value === undefined ? `no ${name}` : `the ${name} ${JSON.stringify(value)}`,
      members: { [name]: value },
    })),
  );
}
