import { printSuggestion, suggest } from '../../common/text/suggest.ts';
import type { Violation } from '../exchange.ts';

/** Maximum number of unknown names that are reported of one message. */
export const MAX_UNKNOWN = 20;

/** Maximum length of a name that is printed, in characters. */
const MAX_NAME = 40;

/** JSON Schema of a body, as far as it names members. */
export interface BodySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: BodySchema;
}

interface Unknown {
  readonly path: readonly string[];
  readonly name: string;
  readonly documented: readonly string[];
}

/** Finds query parameters that an operation does not document: a service may ignore them without an error. */
export function findUnknownParameters(
  operation: string,
  given: URLSearchParams,
  documented: readonly string[],
): Violation[] {
  const unknown = new Set(given.keys().filter((name) => !documented.includes(name)));
  const path = ['request', 'query'];
  return [...unknown.keys().take(MAX_UNKNOWN)].map((name) =>
    warn('unknown-parameter', `parameter of ${operation}`, { path, name, documented }),
  );
}

/** Finds members of a body that are not documented; in a response, which may have more members, only misspelt ones. */
export function findUnknownMembers(
  side: 'request' | 'response',
  operation: string,
  body: unknown,
  schema: BodySchema = {},
): Violation[] {
  const kind = `member of the ${side} body of ${operation}`;
  const unknown = unknownMembers(body, schema, [side, 'body'])
    .filter(({ name, documented }) => side === 'request' || suggest(name, documented) !== undefined)
    .take(MAX_UNKNOWN);
  return [...unknown].map((member) => warn('unknown-member', kind, member));
}

function warn(code: string, kind: string, { path, name, documented }: Unknown): Violation {
  const isShort = name.length <= MAX_NAME;
  const shown = isShort ? name : `A name of ${name.length} characters`;
  return {
    location: isShort ? [...path, name] : path,
    severity: 'warning',
    code,
    message: `${shown} is not a ${kind}${printSuggestion(name, documented)}`,
  };
}

/** Yields unknown members, each with the documented members that are absent. */
function* unknownMembers(
  value: unknown,
  { properties, items }: BodySchema,
  path: readonly string[],
): Generator<Unknown> {
  if (Array.isArray(value)) {
    for (const [index, element] of items ? value.entries() : [])
      yield* unknownMembers(element, items ?? {}, [...path, `${index}`]);
  } else if (properties && typeof value === 'object' && value !== null) {
    const names = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
    if (names.length === 0) return;
    const documented = Object.keys(properties).filter((known) => !Object.hasOwn(value, known));
    for (const name of names) yield { path, name, documented };
  }
}
