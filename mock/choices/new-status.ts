import type { PetStatus } from '../../common/json/pet.ts';
import type { Hook } from '../service/types.ts';
import { type Choice, GAPS } from './choice.ts';

const storing = (status: PetStatus): Hook => ({ pet: (pet) => ({ ...pet, status: pet.status ?? status }) });

export const statusWhenOmitted = {
  about: 'Status of an animal that was added without a status.',
  silentAt: GAPS,
  values: [
    { value: 'absent', does: 'stores no status' },
    { value: 'available', does: 'stores available', ...storing('available') },
    { value: 'pending', does: 'stores pending', ...storing('pending') },
    { value: 'sold', does: 'stores sold', ...storing('sold') },
  ],
} as const satisfies Choice;
