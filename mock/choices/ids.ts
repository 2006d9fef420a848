import { type Choice, PET } from './choice.ts';

export const ids = {
  about: 'Ids of new animals.',
  silentAt: PET,
  values: [
    { value: 'next', does: 'counts upwards' },
    {
      value: 'random',
      does: 'gives random ids',
      id: (_next, { random }) => BigInt(Math.floor(random() * Number.MAX_SAFE_INTEGER)) + 1n,
    },
    // Odd, so that a double cannot hold them.
    { value: 'large', does: 'gives ids above 2^53', id: (next) => 2n ** 60n + 2n * next + 1n },
    { value: 'negative', does: 'gives negative ids', id: (next) => -next },
  ],
} as const satisfies Choice;
