/** Schema Object of OpenAPI, with the members that our code reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** Operation of a contract. `method` is in upper case, `path` is relative to the base URL, references are resolved one step. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly deprecated?: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface DocumentedResponse {
  readonly content?: Content;
}

/** openapi.yaml, or a draft of it. */
export interface Contract {
  /** Path of the draft, as the user gave it; absent if it is openapi.yaml. */
  readonly draft?: string;
  /** The document as it is written. */
  readonly document: ContractDocument;
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface ContractDocument {
  readonly info?: { readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Path Item Object: operations by their methods, and what they share. */
type PathItem = Readonly<Record<string, WrittenOperation>>;

type WrittenOperation = Partial<Operation> & Pick<Operation, 'operationId'>;

/** The methods that a path item may have. Source: OAS 3.0.3, Path Item Object */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Reads the operations of a document. @param draft path of the file that a user gave */
export function createContract(document: ContractDocument, draft?: string): Contract {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/'));
  const operations = paths.flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, written]) =>
      methods.some((one) => one === method) ? [createOperation(document, path, method, item, written)] : [],
    ),
  );
  return {
    ...(draft !== undefined && { draft }),
    document,
    operations,
    schemas: document.components?.schemas ?? {},
  };
}

function createOperation(
  document: ContractDocument,
  path: string,
  method: string,
  item: PathItem,
  { parameters: own = [], requestBody, responses = {}, ...others }: WrittenOperation,
): Operation {
  const shared = (item.parameters ?? []) as unknown as readonly Parameter[];
  const ofOperation = own.map((one) => resolve(document, one));
  const isReplaced = ({ name, in: place }: Parameter) =>
    ofOperation.some((one) => one.name === name && one.in === place);
  const ofPath = shared.map((one) => resolve(document, one)).filter((one) => !isReplaced(one));
  return {
    ...others,
    path,
    method: method.toUpperCase(),
    parameters: [...ofPath, ...ofOperation].map((one) => ({
      ...one,
      schema: resolve(document, one.schema ?? {}),
    })),
    ...(requestBody !== undefined && { requestBody: resolve(document, requestBody) }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => !status.startsWith('x-'))
        .map(([status, one]) => [status, resolve(document, one)]),
    ),
  };
}

/** Maximum number of references that refer to each other. */
const MOST_STEPS = 20;

function resolve<T extends object>(document: ContractDocument, node: T): T {
  let found: unknown = node;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { $ref } = Object(found) as Schema;
    if (typeof $ref !== 'string') return (found ?? {}) as T;
    found = findByPointer(document, $ref);
  }
  return {} as T;
}

/** Returns what a pointer such as `#/components/schemas/Pet` points to. Source: RFC 6901, section 6 */
export function findByPointer(document: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1).map(decodeKey);
  return keys.reduce<unknown>((parent, key) => {
    const object = Object(parent);
    return Object.hasOwn(object, key) ? object[key] : undefined;
  }, document);
}

function decodeKey(key: string): string {
  const text = key.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns whether a member that must be a list is one. A draft may have `required: true`, which ajv refuses by its name. */
function isListIfNeeded([name, value]: readonly [string, unknown]): boolean {
  return !['allOf', 'enum', 'required'].includes(name) || Array.isArray(value);
}

/** Returns a schema without references and with the members of all parts of its `allOf`. @param parents of which it is a part */
export function flattenSchema(
  contract: Contract,
  schema: Schema = {},
  parents: readonly Schema[] = [],
): Schema {
  const whole = resolve(contract.document, schema);
  const { allOf = [], ...own } = Object.fromEntries(Object.entries(whole).filter(isListIfNeeded)) as Schema;
  if (allOf.length === 0 || parents.includes(whole)) return own;
  const parts = [...allOf.map((part) => flattenSchema(contract, part, [...parents, whole])), own];
  const properties = parts.map((part) => part.properties ?? {});
  const required = parts.flatMap((part) => part.required ?? []);
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...properties),
    required: [...new Set(required)],
  };
}

export function jsonSchemaOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}
