import { ApiError } from '../../common/http/api-error.ts';
import { type Choice, ERRORS } from './choice.ts';

export const otherMediaTypes = {
  about: 'A body of another media type than application/json.',
  silentAt: ERRORS,
  values: [
    { value: 400, does: 'returns 400' },
    {
      value: 415,
      does: 'returns 415',
      reply: (answer, { operation }) => {
        const { kind, message = '' } = answer.error ?? {};
        if (operation !== 'createPet' || kind !== 'mediaType') return answer;
        throw new ApiError('unsupported_media_type', message);
      },
    },
    {
      value: 'read',
      does: 'reads it as JSON all the same',
      request: (ask) => {
        if (ask.operation !== 'createPet') return ask;
        return { ...ask, headers: { ...ask.headers, 'content-type': 'application/json' } };
      },
    },
  ],
} as const satisfies Choice;
