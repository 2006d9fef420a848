import { type OperationName, operations } from '../../common/journal/operation-name.ts';

/** Returns what people read for an operation: the request of the quickstart is no operation of the contract. */
export function labelOperation(operation: OperationName): string {
  return operation === 'createMessage' ? 'quickstart' : operation;
}

/** The operations with their labels, to choose one. */
export const labelledOperations = operations.map(
  (operation) => [operation, labelOperation(operation)] as const,
);
