import { parseInt64 } from '../../common/int64.ts';
import type { AnimalInput, Int64 } from '../control/create-animals.ts';
import type { Control } from '../control/create-control.ts';
import type { FaultOptions } from '../control/create-faults.ts';
import type { Sessions } from '../control/create-sessions.ts';
import type { SettingChanges } from '../control/create-settings.ts';
import type { VerificationOptions, Verifications } from '../control/create-verifications.ts';
import { readUntil, type Until } from '../control/since.ts';

/** What an operation of the control API gets: the name or id in the path, the query, and the body as JSON. */
export interface AdminRequest {
  readonly param: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The base URL of the service, as it was asked for, and a key of it. */
  readonly own: { readonly baseUrl: string; readonly apiKey: string };
}

/** What all services of a mock have in common. */
export interface Common {
  readonly sessions: Sessions;
  readonly verifications: Verifications;
}

/** An operation of the control API: one call of the control of its service, or of what all have in common. */
export type AdminOperation = (control: Control, request: AdminRequest, common: Common) => unknown;

/** The operations of the control API by method and path, which is beneath `/__admin`. */
export const adminRoutes: Readonly<Record<string, AdminOperation>> = {
  'POST /reset': ({ reset }) => reset(),
  'GET /snapshots': ({ snapshots }) => snapshots(),
  'PUT /snapshots/{name}': ({ snapshot }, { param }) => snapshot(param),
  'DELETE /snapshots/{name}': ({ removeSnapshot }, { param }) => removeSnapshot(param),
  'POST /snapshots/{name}/restore': ({ restore }, { param }) => restore(param),
  'GET /profiles': ({ profiles }) => profiles(),
  'POST /profiles/{name}/fill': ({ fill }, { param }) => fill(param),
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
  'DELETE /faults/{id}': ({ faults }, { param }) => faults.remove(toNumber(param)),
  'GET /requests': ({ requests }, { query }) => requests(Object.fromEntries(query)),
  'GET /requests/count': ({ countRequests }, { query }) => ({
    count: countRequests(Object.fromEntries(query)),
  }),
  'DELETE /requests': ({ clearRequests }, { query }) => clearRequests(toUntil(query)),
  'GET /violations': ({ violations }, { query }) => violations(Object.fromEntries(query)),
  'DELETE /violations': ({ clearViolations }, { query }) => clearViolations(toUntil(query)),
  'GET /sessions': (_control, _request, { sessions }) => sessions.names(),
  'DELETE /sessions/{name}': (_control, { param }, { sessions }) => sessions.end(param),
  'GET /verifications': (_control, _request, { verifications }) => verifications.list(),
  'POST /verifications': (_control, { body, own }, { verifications }) =>
    verifications.start((body ?? {}) as VerificationOptions, own),
  'GET /verifications/{id}': (_control, { param }, { verifications }) => verifications.get(toNumber(param)),
  'DELETE /verifications/{id}': (_control, { param }, { verifications }) =>
    verifications.stop(toNumber(param)),
};

/** What is no number stays a text, which the control refuses. */
function toNumber(param: string): number {
  return /^\d{1,15}$/.test(param) ? Number(param) : (param as unknown as number);
}

/** A name that is wrong must not clear all. */
function toUntil(query: URLSearchParams): Until {
  const until = readUntil(Object.fromEntries(query));
  return until === undefined ? {} : { until };
}

/** What is no int64 stays a text, which the control refuses. */
function toId(param: string): Int64 {
  return parseInt64(param) ?? (param as unknown as Int64);
}
