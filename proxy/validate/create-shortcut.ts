import { Ajv } from 'ajv';
import type { Headers } from '../exchange.ts';
import type { Operation } from './read-operations.ts';

/** A message as Prism's validators take it, with the headers as received. */
interface PrismMessage {
  readonly headers: Headers;
  readonly body: unknown;
}

type PrismResponse = PrismMessage & { readonly statusCode: number };
type PrismQuery = Readonly<Record<string, string | string[]>>;
type PrismRequest = PrismMessage & { readonly url: { readonly path: string; readonly query: PrismQuery } };

/** Prism's options that change a verdict. The shortcut knows no other format. */
const int64 = { type: 'number', validate: Number.isInteger } as const;
const options = { strict: false, validateSchema: false, formats: { int64 } };
const exact = new Ajv(options);
const coercing = new Ajv({ ...options, coerceTypes: true });

/** Parts of the contract that Prism treats in its own way. */
const PRISM_ONLY =
  /"(?:allOf|readOnly|writeOnly|deprecated|\$ref)":|"format":"(?!int64")|"\$schema":"(?!http:..json-schema.org.draft-07.)/;

/** The usual spellings of the media type; Prism accepts more. */
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;
const never = () => false;

/**
 * Creates a fast check that accepts most conforming messages, with the ajv that Prism uses. `true` means that Prism would
 * find nothing; `false` means that Prism must check.
 */
export function createShortcut(operation: Operation) {
  const { security = [], request = {}, responses } = operation;
  const { headers = [], cookie = [], query = [], path = [], body } = request;
  const [scheme, ...others] = security.flat();
  const isBearer = scheme?.type === 'http' && scheme.scheme === 'bearer' && others.length === 0;
  const isKnown = isBearer && headers.length + cookie.length === 0;
  if (!isKnown || PRISM_ONLY.test(JSON.stringify([request, responses])))
    return { acceptsRequest: never, acceptsResponse: never };
  const escaped = operation.path.replaceAll('.', '\\.');
  const pattern = new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w-]+)')}$`);
  const acceptsPath = compileParameters(path);
  const acceptsQuery = compileParameters(query);
  const acceptsBody = body && compileBody(body.contents);
  const plain = responses.filter((response) => (response.headers ?? []).length === 0);
  const byStatus = new Map(plain.map(({ code, contents }) => [code, compileBody(contents)]));
  return {
    acceptsRequest({ url, headers, body }: PrismRequest): boolean {
      const { authorization = '', 'content-type': type, 'content-length': length = '0' } = headers;
      const match = pattern.exec(url.path);
      if (match === null || !/^Bearer \S.*$/.test(authorization)) return false;
      if (!acceptsPath(match.groups ?? {}) || !acceptsQuery(url.query)) return false;
      if (acceptsBody === undefined) return body === null && length === '0' && type === undefined;
      return type !== undefined && jsonType.test(type) && acceptsBody(body);
    },
    acceptsResponse: ({ statusCode, headers: { 'content-type': type = '' }, body }: PrismResponse): boolean =>
      jsonType.test(type) && (byStatus.get(String(statusCode)) ?? never)(body),
  };
}

type Parameter = { readonly name: string; readonly required?: boolean; readonly schema?: unknown };

function compileParameters(parameters: readonly Parameter[]) {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const accepts = coercing.compile({ type: 'object', properties, required });
  return (given: PrismQuery): boolean =>
    // ajv changes the object.
    Object.values(given).every((value) => typeof value === 'string' && value !== '') && accepts({ ...given });
}

function compileBody(contents: readonly { readonly mediaType: string; readonly schema?: object }[] = []) {
  const [content] = contents;
  if (contents.length !== 1 || content?.mediaType !== 'application/json' || !content.schema) return never;
  const accepts = exact.compile(content.schema);
  return (body: unknown): boolean => typeof body === 'object' && body !== null && accepts(body);
}
