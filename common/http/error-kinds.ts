/** What of a request was refused. Services often have a code of their own for one. Source: docs/reference/unspecified.md */
export type ErrorKind =
  // 400
  | 'limit'
  | `filter ${string}`
  | 'unknownParameter'
  | 'petId'
  | 'mediaType'
  | 'malformed'
  | 'noObject'
  | `missing ${string}`
  | `member ${string}`
  | 'unknownMember'
  // 401
  | 'missing'
  | 'scheme'
  | 'invalid'
  // 404, in addition to petId
  | 'path'
  | 'animal';
