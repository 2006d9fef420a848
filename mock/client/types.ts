import type { Pet } from '../../common/json/pet.ts';

export { type NewPet, type Pet, type PetStatus, petStatuses } from '../../common/json/pet.ts';
export { printInt64, rawJson, readInt64 } from './int64.ts';

/** A list of animals. Source: openapi.yaml#/components/schemas/Pets */
export type Pets<Int extends number | bigint = bigint> = readonly Pet<Int>[];

/** Body of every error. Source: openapi.yaml#/components/schemas/Error */
interface ErrorBody {
  /** Code of the error, for programs. */
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

export type { ErrorBody as Error };
