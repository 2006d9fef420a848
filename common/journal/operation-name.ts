export const operations = ['listPets', 'createPet', 'getPet', 'createMessage'] as const;

/** The name of an operation, as in openapi.yaml; the quickstart's request is `createMessage`. */
export type OperationName = (typeof operations)[number];
