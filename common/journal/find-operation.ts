export const operations = ['listPets', 'createPet', 'getPet', 'createMessage'] as const;

/** The name of an operation, as in openapi.yaml; the quickstart's request is `createMessage`. */
export type OperationName = (typeof operations)[number];
type Methods = Readonly<Record<string, OperationName>>;

const routes: readonly (readonly [path: RegExp, methods: Methods])[] = [
  [/^\/v1\/pets$/, { GET: 'listPets', HEAD: 'listPets', POST: 'createPet' }],
  [/^\/v1\/pets\/[^/]+$/, { GET: 'getPet', HEAD: 'getPet' }],
  [/^\/messages$/, { POST: 'createMessage' }],
];

/** Returns the operations at a path by method, or undefined if there are none. @param path without the query. */
export function findMethods(path: string): Methods | undefined {
  return routes.find(([pattern]) => pattern.test(path))?.[1];
}

/** Returns the operation that a request is for. @param path without the query. */
export function findOperation(method: string, path: string): OperationName | undefined {
  return findMethods(path)?.[method];
}
