/**
 * A method, such as `animals.add`, and its operation of the control API under `/__admin`. Its first argument is the parameter in
 * the path, if there is one. The next one is the body or the query. `until` is a query without other members.
 */
export type ControlCall = readonly [name: string, method: ControlMethod, path: string, takes?: Taken];
export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Taken = 'body' | 'query' | 'until';

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
