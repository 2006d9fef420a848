export const petStatuses = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof petStatuses)[number];

/** An animal to add; `categoryId` is an int64, as a bigint or a number, or what `rawJson` returns. Source: openapi.yaml#/components/schemas/NewPet */
export interface NewPet<Int = bigint> {
  readonly name: string;
  readonly categoryId: Int;
  readonly status?: PetStatus;
}

/** An animal of the store; `id` is an int64. Source: openapi.yaml#/components/schemas/Pet */
export interface Pet<Int = bigint> extends NewPet<Int> {
  readonly id: Int;
}
