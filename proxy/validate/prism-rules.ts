import { type ExchangeRequest, keyRules, type Received } from '../exchange.ts';
import { toReceived } from './received.ts';

/** What a diagnostic of Prism with a code means. */
interface PrismRule {
  /** @default the code */
  readonly rule?: string;
  /** What it means, as docs/reference/animal-store-proxy.md says it; absent for a keyword of JSON Schema, and for a rule of ours. */
  readonly meaning?: string;
  /** @default the sentence of Prism */
  readonly message?: string;
  /** Finds in the sentence of Prism what the rule requires, such as `100`. Prism has no member for it. */
  readonly expected?: RegExp;
  /** Finds in the sentence of Prism the name of the member that is missing. */
  readonly missing?: RegExp;
  /** Returns what was received. @default what is at the place of the diagnostic */
  readonly received?: (request: ExchangeRequest) => Received | undefined;
}

/**
 * The rules that Prism checks, by its codes: a status, or a keyword of JSON Schema. A keyword that is not here is a rule with this name
 * and the sentence of Prism.
 */
export const prismRules: Readonly<Record<string, PrismRule>> = {
  401: {
    rule: keyRules.missing,
    meaning: 'no `Authorization: Bearer <key>`',
    message: 'The request has no "Authorization: Bearer <key>"',
    received: ({ headers }) => describeAuthorization(headers.authorization),
  },
  unreadable: {
    received: ({ path }) => toReceived(path),
  },
  'slow-pattern': {
    meaning: 'a message that a pattern of a draft takes too long to check',
  },
  required: { missing: /required property '(.*)'$/s },
  type: { expected: / must be (\w+)$/ },
  minimum: { expected: / must be >= (\S+)$/ },
  maximum: { expected: / must be <= (\S+)$/ },
  enum: { expected: / allowed values: (.+)$/ },
};

/** Shows only the scheme: anything else may be a part of the key. */
function describeAuthorization(authorization: string | undefined): Received | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme] = /^([a-z]{1,10}) /i.exec(authorization) ?? [];
  return {
    text: scheme === undefined ? 'an Authorization of another form' : `the scheme ${JSON.stringify(scheme)}`,
  };
}
