import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { contractFile } from '../contract-file.ts';

/** Schema object of OAS 3.0, with the members that this contract uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example: unknown }>>;

/** Operation of the contract. `method` is in upper case, `path` is relative to the base URL, references are resolved one step. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly deprecated: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'query' | 'path';
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export function loadContract() {
  const document = parse(readFileSync(contractFile, 'utf8')) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { deprecated = false, parameters = [], responses, ...operation }]): Operation => ({
        ...operation,
        path,
        deprecated,
        method: method.toUpperCase(),
        parameters: parameters.map((one) => ({ ...one, schema: resolve(document, one.schema) })),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, one]) => [status, resolve(document, one)]),
        ),
      }),
    ),
  );
  return { version: document.info.version, operations, schemas: document.components.schemas };
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type WrittenOperation = Partial<Operation> & Pick<Operation, 'operationId' | 'responses'>;

function resolve<T extends object>(document: Document, node: T): T {
  if (!('$ref' in node)) return node;
  const keys = String(node.$ref).replace('#/', '').split('/');
  return keys.reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], document) as T;
}
