/** The kinds of refusals for which services often have a code of their own, by status. Source: docs/reference/unspecified.md */
export const errorKinds = {
  400: [
    'limit',
    'statusFilter',
    'unknownParameter',
    'petId',
    'malformed',
    'noObject',
    'missingName',
    'missingCategoryId',
    'name',
    'categoryId',
    'status',
  ],
  401: ['missing', 'scheme', 'invalid'],
  404: ['path', 'petId', 'animal'],
} as const;

export type ErrorKind = (typeof errorKinds)[keyof typeof errorKinds][number];
