import { AUTHENTICATION, type Choice } from './choice.ts';

export const schemeCase = {
  about: 'Case of the scheme Bearer in a request.',
  silentAt: AUTHENTICATION,
  values: [
    { value: 'any', does: 'accepts it in any case' },
    {
      value: 'exact',
      does: 'accepts only Bearer',
      request: (ask) => {
        const { authorization = '' } = ask.headers;
        const isOther = /^bearer /i.test(authorization) && !authorization.startsWith('Bearer ');
        // As any other scheme is refused.
        return isOther ? { ...ask, headers: { ...ask.headers, authorization: 'Other' } } : ask;
      },
    },
  ],
} as const satisfies Choice;
