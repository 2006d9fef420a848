import { parseInt64 } from '../../common/int64.ts';
import type { AnimalInput, Int64 } from '../control/create-animals.ts';
import type { Control } from '../control/create-control.ts';
import type { FaultOptions } from '../control/create-faults.ts';
import type { Sessions } from '../control/create-sessions.ts';
import type { SettingChanges } from '../control/create-settings.ts';

/** What an operation of the control API gets: the name or id in the path, the query, and the body as JSON. */
export interface AdminRequest {
  readonly param: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** An operation of the control API: one call of the control of its service, or of the sessions. */
export type AdminOperation = (control: Control, request: AdminRequest, sessions: Sessions) => unknown;

/** The operations of the control API by method and path, which is beneath `/__admin`. */
export const adminRoutes: Readonly<Record<string, AdminOperation>> = {
  'POST /reset': ({ reset }) => reset(),
  'PUT /snapshots/{name}': ({ snapshot }, { param }) => snapshot(param),
  'POST /snapshots/{name}/restore': ({ restore }, { param }) => restore(param),
  'GET /animals': ({ animals }) => animals.all(),
  'PUT /animals': ({ animals }, { body }) => animals.replace(body as AnimalInput[]),
  'POST /animals': ({ animals }, { body }) => animals.add(body as AnimalInput),
  'GET /animals/{id}': ({ animals }, { param }) => animals.get(toId(param)),
  'PUT /animals/{id}': ({ animals }, { param, body }) => animals.set(toId(param), body as AnimalInput),
  'DELETE /animals/{id}': ({ animals }, { param }) => animals.remove(toId(param)),
  'GET /settings': ({ settings }) => settings(),
  'PATCH /settings': ({ configure }, { body }) => configure(body as SettingChanges),
  'GET /faults': ({ faults }) => faults.list(),
  'POST /faults': ({ faults }, { body }) => faults.add(body as FaultOptions),
  'DELETE /faults': ({ faults }) => faults.clear(),
  'DELETE /faults/{id}': ({ faults }, { param }) => faults.remove(Number(param)),
  'GET /requests': ({ requests }, { query }) => requests(Object.fromEntries(query)),
  'GET /requests/count': ({ countRequests }, { query }) => ({
    count: countRequests(Object.fromEntries(query)),
  }),
  'DELETE /requests': ({ clearRequests }) => clearRequests(),
  'GET /violations': ({ violations }, { query }) => violations(Object.fromEntries(query)),
  'DELETE /violations': ({ clearViolations }) => clearViolations(),
  'GET /sessions': (_control, _request, { names }) => names(),
  'DELETE /sessions/{name}': (_control, { param }, { end }) => end(param),
};

/** What is no int64 stays a text, which the control refuses. */
function toId(param: string): Int64 {
  return parseInt64(param) ?? (param as unknown as Int64);
}
