import type * as prism from '@stoplight/prism-http/dist/validator/index.js';
import { keyRules } from '../exchange.ts';
import type { OwnRule } from './own-rules.ts';
import { checkedInt64, int64 } from './read-body.ts';

/** An `Either` of fp-ts with Prism's diagnostics on the left. */
export type Validated = ReturnType<(typeof prism)['validateSecurity' | 'validateInput' | 'validateOutput']>;
export type Diagnostic = Extract<Validated, { _tag: 'Left' }>['left'][number];

/** What a diagnostic of Prism says. */
interface Facts {
  readonly rule: string;
  readonly message: string;
  /** What the rule requires of the value, such as `100` for `maximum`. */
  readonly expected?: string | undefined;
  /** Name of the member that a body lacks. */
  readonly missing?: string | undefined;
}

/** Beginnings of the sentences of Prism that have no word of their own as a code. */
const sentences = {
  security: 'Invalid security scheme',
  status: 'Unable to match the returned status',
  mediaType: 'The received media type',
  noBody: 'Body parameter is required',
  unexpectedBody: 'No supported content types',
  requestMediaType: 'Supported content types: ',
} as const;

/**
 * Reads a diagnostic. All sentences of Prism that are read or replaced are here: it has neither a code nor a member for these
 * facts.
 */
export function readDiagnostic({ code = 'unnamed', message }: Diagnostic): Facts {
  if (message.startsWith(sentences.security))
    return { rule: keyRules.missing, message: 'The request has no "Authorization: Bearer <key>"' };
  if (message.startsWith(sentences.noBody))
    return { rule: 'required', message: 'The request has no body. Send a JSON object' };
  if (message.startsWith(sentences.unexpectedBody))
    return {
      rule: 'unexpected-body' satisfies OwnRule,
      message: 'The operation takes no body. Send the request without one',
    };
  if (message.startsWith(sentences.requestMediaType)) {
    const expected = message.slice(sentences.requestMediaType.length);
    return {
      rule: 'unsupported-media-type' satisfies OwnRule,
      message: `Content-Type must be ${expected}`,
      expected,
    };
  }
  if (message.startsWith(sentences.status)) return { rule: 'undocumented-status' satisfies OwnRule, message };
  if (message.startsWith(sentences.mediaType)) return { rule: 'media-type' satisfies OwnRule, message };
  const rule = `${code}`;
  const sentence = correctBound(message);
  const [, found] = requirements[rule]?.exec(sentence) ?? [];
  const isMissing = rule === 'required';
  return {
    rule,
    message: sentence,
    expected: isMissing ? undefined : found,
    missing: isMissing ? found : undefined,
  };
}

/** Ends of Prism's sentences, by rule, with the name or the value that is required. */
const requirements: Readonly<Record<string, RegExp>> = {
  required: /required property '(.*)'$/s,
  type: / must be (\w+)$/,
  minimum: / must be >= (\S+)$/,
  maximum: / must be <= (\S+)$/,
  enum: / allowed values: (.+)$/,
};

/** The bounds of int64, as Prism prints them for checked numbers, and as they are. */
const bounds = [
  [` ${checkedInt64.maximum}`, ` ${int64.maximum}`],
  [` ${checkedInt64.minimum}`, ` ${int64.minimum}`],
] as const;

/** Replaces a rounded bound at the end of a message, such as `must be <= 9223372036854775000`. */
function correctBound(message: string): string {
  const [rounded, exact] = bounds.find(([end]) => message.endsWith(end)) ?? ['', ''];
  return message.slice(0, message.length - rounded.length) + exact;
}
