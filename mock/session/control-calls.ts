import type { Control } from './control.ts';

/** Name of a method of the control, such as `reset` or `animals.add`; the last two are of the mock. */
type CallName =
  | Exclude<keyof Control, 'animals' | 'faults' | 'waitForRequest' | 'expectNoViolations'>
  | `animals.${Exclude<keyof Control['animals'], 'size'>}`
  | `faults.${keyof Control['faults']}`
  | 'sessions'
  | 'endSession';

/**
 * A method, and its operation of the control API under `/__admin`. Its first argument is the parameter in the path, if there is
 * one. The next one is the body or the query. `until` is a query in which a program's other members are ignored.
 */
export type ControlCall = readonly [
  name: CallName,
  method: string,
  path: string,
  takes?: 'body' | 'query' | 'until',
];

/** Methods that the control API serves and the client of another process calls. */
export const controlCalls: readonly ControlCall[] = [
  ['reset', 'POST', '/reset'],
  ['snapshots', 'GET', '/snapshots'],
  ['snapshot', 'PUT', '/snapshots/{name}'],
  ['removeSnapshot', 'DELETE', '/snapshots/{name}'],
  ['restore', 'POST', '/snapshots/{name}/restore', 'query'],
  ['profiles', 'GET', '/profiles'],
  ['fill', 'POST', '/profiles/{name}/fill'],
  ['animals.all', 'GET', '/animals'],
  ['animals.replace', 'PUT', '/animals', 'body'],
  ['animals.add', 'POST', '/animals', 'body'],
  ['animals.get', 'GET', '/animals/{id}'],
  ['animals.set', 'PUT', '/animals/{id}', 'body'],
  ['animals.remove', 'DELETE', '/animals/{id}'],
  ['settings', 'GET', '/settings'],
  ['configure', 'PATCH', '/settings', 'body'],
  ['faults.list', 'GET', '/faults'],
  ['faults.add', 'POST', '/faults', 'body'],
  ['faults.clear', 'DELETE', '/faults'],
  ['faults.remove', 'DELETE', '/faults/{id}'],
  ['requests', 'GET', '/requests', 'query'],
  ['clearRequests', 'DELETE', '/requests', 'until'],
  ['countRequests', 'GET', '/requests/count', 'query'],
  ['violations', 'GET', '/violations', 'query'],
  ['clearViolations', 'DELETE', '/violations', 'until'],
  ['sessions', 'GET', '/sessions'],
  ['endSession', 'DELETE', '/sessions/{name}'],
];

/** Returns the object of a method, in the control or in a client, and its name there. */
export function findMethod(control: object, name: CallName) {
  const [member = '', group] = name.split('.').reverse();
  const owner = group === undefined ? control : control[group as keyof typeof control];
  return { owner: owner as Record<string, (...args: readonly unknown[]) => unknown>, member };
}
