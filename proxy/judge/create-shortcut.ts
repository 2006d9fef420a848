import { ValidationContext } from '@stoplight/prism-http/dist/validator/validators/types.js';
import { validateAgainstSchema } from '@stoplight/prism-http/dist/validator/validators/utils.js';
import type { Operation } from './read-operations.ts';

/** A request as Prism's validators take it, but for its headers: those are as they came. */
export interface PrismRequest {
  readonly url: { readonly path: string; readonly query: Readonly<Record<string, string | string[]>> };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A response as Prism's validators take it. */
export interface PrismResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Tells of most messages that conform that they do, in a fraction of the time that Prism takes: with Prism's own ajv
 * validators, without what is around them. False says nothing: Prism is to be asked.
 */
export interface Shortcut {
  /** Whether a path is surely this operation's. */
  matches(path: string): boolean;
  /** Whether Prism would surely find nothing in a request of this operation. */
  acceptsRequest(request: PrismRequest): boolean;
  /** Whether Prism would surely find nothing in a response of this operation. */
  acceptsResponse(response: PrismResponse): boolean;
}

type Schema = Parameters<typeof validateAgainstSchema>[1];
type Validator = (value: unknown) => boolean;
interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: unknown;
}
interface Content {
  readonly mediaType: string;
  readonly schema?: unknown;
}

const never = () => false;

/** The media type of a body as nearly everybody writes it; Prism reads it in more ways. */
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Creates the shortcut of an operation; what of the contract it does not know is never accepted. */
export function createShortcut(operation: Operation): Shortcut {
  const { request, responses } = operation;
  const { headers = [], cookie = [], query = [], path = [], body } = request ?? {};
  const isKnown = hasBearerAlone(operation) && headers.length + cookie.length === 0;
  const escaped = operation.path.replaceAll('.', '\\.');
  const pattern = new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w-]+)')}$`);
  const acceptsPath = createParameterValidator(path, operation);
  const acceptsQuery = createParameterValidator(query, operation);
  const acceptsBody = body && createBodyValidator(body.contents, ValidationContext.Input, operation);
  const plain = responses.filter((response) => (response.headers ?? []).length === 0);
  const byStatus = new Map(
    plain.map(({ code, contents }) => [
      code,
      createBodyValidator(contents, ValidationContext.Output, operation),
    ]),
  );
  return {
    matches: (path) => pattern.test(path),
    acceptsRequest: ({ url, headers, body }) => {
      const { authorization = '', 'content-type': type, 'content-length': length = '0' } = headers;
      const groups = pattern.exec(url.path)?.groups;
      if (!isKnown || !/^Bearer \S.*$/.test(authorization)) return false;
      if (!acceptsPath(groups) || !acceptsQuery(url.query)) return false;
      if (acceptsBody === undefined) return body === null && length === '0' && type === undefined;
      return type !== undefined && jsonType.test(type) && acceptsBody(body);
    },
    acceptsResponse: ({ statusCode, headers: { 'content-type': type = '' }, body }) =>
      jsonType.test(type) && (byStatus.get(String(statusCode)) ?? never)(body),
  };
}

function hasBearerAlone({ security = [] }: Operation): boolean {
  const [[scheme] = []] = security;
  const isBearer = scheme?.type === 'http' && scheme.scheme === 'bearer';
  return isBearer && security.flat().length === 1;
}

/** Parameters with one plain value each. */
function createParameterValidator(parameters: readonly Parameter[], operation: Operation) {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.flatMap(({ name, required }) => (required ? [name] : []));
  const isPlain = parameters.every(
    ({ schema, deprecated }) => !deprecated && isScalar(schema) && isSelfContained(schema),
  );
  if (!isPlain) return never;
  if (parameters.length === 0) return () => true;
  const schema = { type: 'object', properties, required } as Schema;
  const accepts = compile(schema, true, ValidationContext.Input, operation);
  return (given: Readonly<Record<string, unknown>> | undefined = {}) => {
    const values: Record<string, string> = {};
    for (const { name } of parameters) {
      const value = given[name];
      if (value === undefined) continue;
      if (typeof value !== 'string' || value === '') return false;
      values[name] = value;
    }
    return accepts(values);
  };
}

function createBodyValidator(
  contents: readonly Content[] = [],
  context: ValidationContext,
  operation: Operation,
): Validator {
  const [content] = contents;
  const isPlain = contents.length === 1 && content?.mediaType === 'application/json';
  if (!isPlain || content.schema === undefined || !isSelfContained(content.schema)) return never;
  const accepts = compile(content.schema as Schema, false, context, operation);
  return (body) => typeof body === 'object' && body !== null && accepts(body);
}

function compile(
  schema: Schema,
  coerce: boolean,
  context: ValidationContext,
  operation: Operation,
): Validator {
  const { __bundled__: bundle } = operation as { readonly __bundled__?: unknown };
  return (value) => validateAgainstSchema(value, schema, coerce, context, '', bundle)._tag === 'None';
}

function isScalar(schema: unknown): boolean {
  const { type } = (schema ?? {}) as { readonly type?: unknown };
  return type === 'integer' || type === 'number' || type === 'string' || type === 'boolean';
}

/** Whether Prism compiles a schema as it stands: it merges `allOf`, and takes out what is for one direction only. */
function isSelfContained(schema: unknown): boolean {
  return !/"(?:allOf|readOnly|writeOnly|\$ref)":/.test(JSON.stringify(schema));
}
