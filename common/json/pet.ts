export const petStatuses = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof petStatuses)[number];

/** An animal to add; `categoryId` is an int64. Source: openapi.yaml#/components/schemas/NewPet */
export interface NewPet {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
}

/** An animal of the store; `id` is an int64. Source: openapi.yaml#/components/schemas/Pet */
export interface Pet extends NewPet {
  readonly id: bigint;
}
