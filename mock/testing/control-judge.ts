import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import type { AdminCall } from './send-admin.ts';

type Schema = Readonly<Record<string, unknown>>;

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** An answer as `sendAdmin` returns it. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Creates functions that validate requests and answers by the document of the control API, with ajv only. */
export function createControlJudge(document: object) {
  const { paths, components } = dereference(document, document) as {
    paths: Record<string, Operation & Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(paths).flatMap(([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => {
      const line = `${method.toUpperCase()} ${path}`;
      const pattern = line.replaceAll('.', '\\.').replace(/\{(\w+)\}/, '(?<$1>[^/]+)');
      const parameters = [...shared, ...(operation.parameters ?? [])];
      return { ...operation, line, pattern: new RegExp(`^${pattern}$`), parameters };
    }),
  );
  const find = ([method, path]: AdminCall) => {
    const line = `${method} ${path === '/health' ? '' : '/__admin'}${path.replace(/\?.*$/, '')}`;
    const found = operations.find(({ pattern }) => pattern.test(line));
    if (found === undefined) throw new Error(`The document has no ${line}.`);
    return { ...found, inPath: found.pattern.exec(line)?.groups ?? {} };
  };
  return {
    /** Such as `GET /__admin/animals/{id}`. */
    lines: operations.map(({ line }) => line),
    /** Returns the problems of a value by a schema of the document. */
    judgeValue: (name: string, value: unknown) => validate(components.schemas[name] ?? false, value),
    /** Returns the problems of a request. */
    judgeRequest(call: AdminCall): string[] {
      const { parameters, requestBody, inPath } = find(call);
      const [, path, body] = call;
      const decoded = Object.entries(inPath).map(([name, value]) => [name, decodeURIComponent(value)]);
      const named = [...decoded, ...new URL(path, 'http://mock').searchParams];
      const schema = requestBody?.content['application/json']?.schema;
      const ofNamed = {
        properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
        required: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
        additionalProperties: false,
      };
      return [
        ...validate(ofNamed, Object.fromEntries(named), true),
        ...(schema === undefined && body === undefined ? [] : validate(schema ?? false, body)),
      ];
    },
    /** Returns the problems of the answer to a request. @param key of the response in the document. */
    judgeAnswer(call: AdminCall, { status, headers, body }: Answer, key = String(status)): string[] {
      const response = find(call).responses[key];
      if (response === undefined) return [`has no response ${key}`];
      if (response.content === undefined) return body === undefined ? [] : ['has a body'];
      const schema = response.content[headers['content-type'] ?? '']?.schema;
      return schema === undefined ? [`is of ${headers['content-type']}`] : validate(schema, body);
    },
  };
}

const [plain, coercing] = [false, true].map((coerceTypes) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes });
  formats.default(ajv);
  return ajv;
});

/** @param isText true if strings among the members may be numbers. */
function validate(schema: Schema | boolean, value: unknown, isText = false): string[] {
  const ajv = isText ? coercing : plain;
  ajv?.validate(schema, value === undefined ? undefined : JSON.parse(printExactJson(value as ExactJson)));
  return (ajv?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Replaces each reference with its target. */
function dereference(document: object, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((one) => dereference(document, one));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...others } = node as Readonly<Record<string, unknown>>;
  const members = Object.entries(others).map(([name, member]) => [name, dereference(document, member)]);
  if (typeof $ref !== 'string') return Object.fromEntries(members);
  const keys = $ref.replace('#/', '').split('/');
  const target = keys.reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], document);
  const meant = dereference(document, target);
  return members.length === 0 ? meant : { allOf: [meant], ...Object.fromEntries(members) };
}
