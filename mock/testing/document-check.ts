import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Schema = object | boolean;
type Content = Record<string, { readonly schema: Schema }>;
type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema?: Schema;
  /** Instead of a schema, for a value that is JSON. */
  readonly content?: Content;
};
type Call = readonly [method: string, path: string, body?: unknown];

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
}

function toSchema({ schema, content }: Parameter): Schema {
  return schema ?? content?.['application/json']?.schema ?? false;
}

/** Returns the value of a parameter that is JSON, and its text if it is malformed. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Creates functions that check requests and responses by an OpenAPI document, with ajv only: no code of the mock. */
export function createDocumentCheck(written: object, base = '') {
  const document = JSON.parse(JSON.stringify(written).replaceAll('"#/', '"document#/'));
  const [plain, coercing] = [false, true].map((coerceTypes) => {
    // The schemas themselves are checked once, because that takes long.
    const validateSchema = !coerceTypes;
    const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes, validateSchema });
    formats.default(ajv);
    return ajv.addSchema({ $id: 'document', components: document.components });
  });
  const resolve = <T extends object>(node: T & { $ref?: string }): T =>
    node.$ref ? node.$ref.split('/').reduce((parent, key) => parent[key] ?? document, document) : node;
  const validate = (schema: Schema, value: unknown, ajv = plain) => {
    ajv?.validate(schema, value);
    return (ajv?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const operations = Object.entries<{ parameters?: Parameter[] }>(document.paths).flatMap(
    ([path, { parameters: shared = [], ...methods }]) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => {
        const line = `${method.toUpperCase()} ${base}${path}`;
        const pattern = new RegExp(`^${line.replaceAll('.', '\\.').replace(/\{(\w+)\}/, '(?<$1>[^/]+)')}$`);
        const parameters = [...shared, ...(operation.parameters ?? [])].map(resolve<Parameter>);
        return { ...operation, line, pattern, parameters };
      }),
  );
  const find = ([method, path]: Call) =>
    operations.find(({ pattern }) => pattern.test(`${method} ${path.replace(/\?.*$/, '')}`));
  return {
    operations,
    find,
    /** Returns the problems of a value by a schema of the document. */
    checkValue: (name: string, value: unknown) =>
      validate({ $ref: `document#/components/schemas/${name}` }, value),
    /** Returns the problems of a request. */
    checkRequest(call: Call): string[] {
      const [method, path, body] = call;
      const { pathname, searchParams } = new URL(path, 'http://mock');
      const { parameters = [], requestBody, pattern } = find(call) ?? {};
      const inPath = Object.entries(pattern?.exec(`${method} ${pathname}`)?.groups ?? {});
      const named = [...inPath.map(([name, text]) => [name, decodeURIComponent(text)]), ...searchParams];
      const schemaOfNamed = {
        properties: Object.fromEntries(parameters.map((one) => [one.name, toSchema(one)])),
        required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
        additionalProperties: false,
      };
      const json = requestBody && resolve(requestBody).content['application/json']?.schema;
      const ofBody = json || body !== undefined ? validate(json ?? false, body) : [];
      const values = named.map(([name = '', value = '']) => {
        const isJson = parameters.some((one) => one.name === name && one.content !== undefined);
        return [name, isJson ? parseJson(value) : value];
      });
      return [...validate(schemaOfNamed, Object.fromEntries(values), coercing), ...ofBody];
    },
    /** Returns the problems of the response to a request. */
    checkResponse(call: Call, status: number, type = '', text = ''): string[] {
      const { responses = {} } = find(call) ?? {};
      const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
      if (response === undefined) return [`there is no response ${status}`];
      const { content } = resolve(response);
      if (content === undefined) return text === '' ? [] : ['there is a body'];
      const { schema } = content[type] ?? { schema: false };
      return validate(schema, type === 'application/json' ? JSON.parse(text) : text);
    },
  };
}
