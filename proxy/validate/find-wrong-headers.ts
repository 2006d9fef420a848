import { type ExchangeRequest, type FoundViolation, findEmptyKey, keyRules } from '../exchange.ts';

/** A header that breaks the contract in a way that Prism does not see, or describes by what follows from it. */
interface WrongHeader extends Pick<FoundViolation, 'location' | 'rule' | 'message'> {
  /** Returns whether a violation that Prism reports only follows from this one. */
  readonly isCauseOf: (violation: FoundViolation) => boolean;
}

/** Finds a key whose variable is empty in the app, and a body whose media type is missing. */
export function findWrongHeaders({ headers, body }: ExchangeRequest, takesBody: boolean): WrongHeader[] {
  const { authorization, 'content-type': mediaType = '' } = headers;
  const emptyKey = findEmptyKey(authorization);
  const found: WrongHeader[] = [];
  if (emptyKey !== undefined) found.push(describeEmptyKey(emptyKey));
  if (takesBody && body !== undefined && body.length > 0 && mediaType.trim() === '') found.push(noMediaType);
  return found;
}

function describeEmptyKey(key: string): WrongHeader {
  const sent = key === '' ? 'no key' : `the word "${key}"`;
  return {
    location: ['request'],
    rule: keyRules.empty,
    message: `After "Bearer" there is ${sent} in the header Authorization: the variable of the key is empty in your app`,
    isCauseOf: ({ rule }) => rule === keyRules.missing,
  };
}

const noMediaType: WrongHeader = {
  location: ['request', 'headers', 'content-type'],
  rule: 'required',
  message: 'The body has no Content-Type. Send "Content-Type: application/json"',
  isCauseOf: ({ location }) => location[1] === 'body',
};
