import { Ajv, type Options } from 'ajv';
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
 * Tells of most messages that conform that they do, in a fraction of the time that Prism takes: with the ajv that
 * Prism has, without what is around it. False says nothing: Prism is to be asked.
 */
export interface Shortcut {
  /** Whether a path is surely this operation's. */
  matches(path: string): boolean;
  /** Whether Prism would surely find nothing in a request of this operation. */
  acceptsRequest(request: PrismRequest): boolean;
  /** Whether Prism would surely find nothing in a response of this operation. */
  acceptsResponse(response: PrismResponse): boolean;
}

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

/** What of Prism's options changes a verdict, and the one format that is not left to Prism. */
const int64 = { type: 'number', validate: Number.isInteger } as const;
const options: Options = { strict: false, validateSchema: false, formats: { int64 } };
const exact = new Ajv(options);
const coercing = new Ajv({ ...options, coerceTypes: true });

/** The media type of a body as nearly everybody writes it; Prism reads it in more ways. */
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Creates the shortcut of an operation; what of the contract it does not know is never accepted. */
export function createShortcut(operation: Operation): Shortcut {
  const { request, responses } = operation;
  const { headers = [], cookie = [], query = [], path = [], body } = request ?? {};
  const isKnown = hasBearerAlone(operation) && headers.length + cookie.length === 0;
  const escaped = operation.path.replaceAll('.', '\\.');
  const pattern = new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w-]+)')}$`);
  const acceptsPath = createParameterValidator(path);
  const acceptsQuery = createParameterValidator(query);
  const acceptsBody = body && createBodyValidator(body.contents);
  const plain = responses.filter((response) => (response.headers ?? []).length === 0);
  const byStatus = new Map(plain.map(({ code, contents }) => [code, createBodyValidator(contents)]));
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
function createParameterValidator(parameters: readonly Parameter[]) {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.flatMap(({ name, required }) => (required ? [name] : []));
  const isPlain = parameters.every(
    ({ schema, deprecated }) => !deprecated && isScalar(schema) && isSelfContained(schema),
  );
  if (!isPlain) return never;
  if (parameters.length === 0) return () => true;
  const accepts = compile({ type: 'object', properties, required }, coercing);
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

function createBodyValidator(contents: readonly Content[] = []): Validator {
  const [content] = contents;
  const isPlain = contents.length === 1 && content?.mediaType === 'application/json';
  if (!isPlain || content.schema === undefined || !isSelfContained(content.schema)) return never;
  const accepts = compile(content.schema, exact);
  return (body) => typeof body === 'object' && body !== null && accepts(body);
}

/** Compiles a schema when it is first asked for. */
function compile(schema: object, ajv: Ajv): Validator {
  let validate: Validator | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value);
  };
}

function isScalar(schema: unknown): boolean {
  const { type } = (schema ?? {}) as { readonly type?: unknown };
  return type === 'integer' || type === 'number' || type === 'string' || type === 'boolean';
}

/**
 * Whether Prism compiles a schema as it stands, and all of it is known here: it merges `allOf`, and takes out what is for
 * one direction only.
 */
function isSelfContained(schema: unknown): schema is object {
  const isOther =
    /"(?:allOf|readOnly|writeOnly|\$ref)":|"format":"(?!int64")|"\$schema":"(?!http:..json-schema.org.draft-07.)/;
  return !isOther.test(JSON.stringify(schema));
}
