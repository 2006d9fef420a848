/** Whether an animal is available. Source: openapi.yaml#/components/schemas/PetStatus */
export type PetStatus = 'available' | 'pending' | 'sold';

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
