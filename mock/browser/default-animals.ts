import type { Pet } from '../../common/json/pet.ts';
import { createProfile } from '../../fixtures/profiles.ts';

/** Animals of the default profile. The package has them as data, so that it brings no generator. */
export const defaultAnimals: readonly Pet[] = await createProfile('default', { seed: 1 });
