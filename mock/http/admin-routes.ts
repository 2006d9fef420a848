import type { Verifications } from '../../common/control/create-verifications.ts';
import type { OperationInput } from '../../common/control/find-answer.ts';
import { toNumber } from '../../common/control/watch-answers.ts';
import { parseInt64 } from '../../common/int64.ts';
import type { AnimalInput, Int64 } from '../control/create-animals.ts';
import type { Control } from '../control/create-control.ts';
import type { FaultOptions } from '../control/create-faults.ts';
import type { Sessions } from '../control/create-sessions.ts';
import type { SettingChanges } from '../control/create-settings.ts';

/** What all services of a mock have in common. */
export interface Common {
  readonly sessions: Sessions;
  readonly verifications: Verifications;
}

/** An operation of the control API: one call of the control of its service, or of the sessions. */
export type AdminOperation = (control: Control, input: OperationInput, sessions: Sessions) => unknown;

/** The operations by method and path, which is beneath `/__admin`, save those that `createWatchAnswers` has. */
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
  'GET /sessions': (_control, _input, sessions) => sessions.names(),
  'DELETE /sessions/{name}': (_control, { param }, sessions) => sessions.end(param),
};

/** What is no int64 stays a text, which the control refuses. */
function toId(param: string): Int64 {
  return parseInt64(param) ?? (param as unknown as Int64);
}
