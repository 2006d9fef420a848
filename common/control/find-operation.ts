/** Every operation of the service, and the request of the quickstart. */
export const operations = ['listPets', 'createPet', 'getPet', 'createMessage'] as const;

/** The name of an operation, as in openapi.yaml; the quickstart's request is `createMessage`. */
export type OperationName = (typeof operations)[number];

/** The operation that a request is for; HEAD counts as GET. @param path without the query. */
export function findOperation(method: string, path: string): OperationName | undefined {
  const isGet = method === 'GET' || method === 'HEAD';
  if (path === '/v1/pets') return isGet ? 'listPets' : method === 'POST' ? 'createPet' : undefined;
  if (path === '/messages') return method === 'POST' ? 'createMessage' : undefined;
  return isGet && /^\/v1\/pets\/[^/]+$/.test(path) ? 'getPet' : undefined;
}
