export const operations = ['listPets', 'createPet', 'getPet', 'createMessage'] as const;

/** The name of an operation, as in openapi.yaml; the quickstart's request is `createMessage`. */
export type OperationName = (typeof operations)[number];

/** Returns what people read for an operation: the request of the quickstart is no operation of the contract. */
export function labelOperation(operation: OperationName): string {
  return operation === 'createMessage' ? 'quickstart' : operation;
}

/** The operations with their labels, to choose one. */
export const labelledOperations = operations.map(
  (operation) => [operation, labelOperation(operation)] as const,
);
