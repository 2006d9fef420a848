import { parseExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import type { Control, MockSession } from '../../index.ts';
import type { AdminCall } from '../send-admin.ts';

/** A call of a mock with the sample animals, from code and over HTTP. */
export interface ControlCase {
  readonly title: string;
  /** Is called first, from code. */
  readonly before?: (mock: MockSession) => unknown;
  readonly call: AdminCall;
  /** The response, each integer a bigint. @default nothing, with 204 */
  readonly result?: unknown;
  /** The status of the response. @default 200 */
  readonly status?: number;
  /** Strings in the message of the error; its status is `status`. */
  readonly mentions?: readonly string[];
  /** Checks the mock afterwards. */
  readonly check?: (mock: MockSession) => void;
  /** The animals afterwards. @default the sample animals */
  readonly animals?: readonly unknown[];
}

/** Makes a call from code. Returns its result as JSON has it, each integer a bigint. */
export async function callFromCode(control: Control, [method, path, body]: AdminCall): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, 'http://mock');
  const [, , part = ''] = pathname.split('/');
  const param = decodeURIComponent(part);
  const id = /^-?\d+$/.test(param) ? BigInt(param) : (param as never);
  const [given, query] = [body as never, Object.fromEntries(searchParams) as object];
  const { animals, faults } = control;
  const calls: Readonly<Record<string, () => unknown>> = {
    'POST /reset': () => control.reset(),
    'GET /snapshots': () => control.snapshots(),
    'PUT /snapshots/*': () => control.snapshot(param),
    'DELETE /snapshots/*': () => control.removeSnapshot(param),
    'POST /snapshots/*/restore': () => control.restore(param, query),
    'GET /profiles': () => control.profiles(),
    'POST /profiles/*/fill': () => control.fill(param),
    'GET /animals': () => animals.all(),
    'PUT /animals': () => animals.replace(given),
    'POST /animals': () => animals.add(given),
    'GET /animals/*': () => animals.get(id),
    'PUT /animals/*': () => animals.set(id, given),
    'DELETE /animals/*': () => animals.remove(id),
    'GET /settings': () => control.settings(),
    'PATCH /settings': () => control.configure(given),
    'GET /faults': () => faults.list(),
    'POST /faults': () => faults.add(given),
    'DELETE /faults': () => faults.clear(),
    'DELETE /faults/*': () => faults.remove(Number(id)),
    'GET /requests': () => control.requests(query),
    'DELETE /requests': () => control.clearRequests(query),
    'GET /requests/*': () => ({ count: control.countRequests(query) }),
    'GET /violations': () => control.violations(query),
  };
  const result = await calls[`${method} ${pathname.replace(/(?<=^\/\w+\/)[^/]+/, '*')}`]?.();
  return result === undefined ? undefined : parseExactJson(printExactJson(result as never));
}
