import { parseDocument } from 'yaml';
import { readOptionFileNow } from '../cli/option-files.ts';
import { UsageError } from '../cli/usage-error.ts';
import {
  type Contract,
  type ContractDocument,
  createContract,
  findByPointer,
  loadContract,
  methods,
  type Operation,
  toPointer,
} from './contract.ts';
import { findWrongSchema } from './find-wrong-schema.ts';

/** Names of operations that the reports can show: they separate them from statuses and members with `:`, `?` and `.`. */
const OPERATION_ID = /^[\w-]+$/;

/** Returns the contract in a file, or openapi.yaml without one. */
export function readContract(file: string | undefined, option = '--contract'): Contract {
  return file === undefined ? loadContract() : readDraft(file, option);
}

/**
 * Reads a draft of the contract, in YAML or JSON. It has all operations of openapi.yaml, and perhaps more.
 *
 * @throws UsageError naming the file, the place in it and the next step
 */
function readDraft(file: string, option: string): Contract {
  const text = readOptionFileNow(file, option);
  try {
    const document = parseYaml(text);
    expectVersion(document);
    expectStructure(document);
    expectOwnReferences(document, file);
    expectSchemas(document);
    expectOperations(document);
    expectBearer(document);
    return createContract(document, file);
  } catch (error) {
    if (!(error instanceof DraftFault)) throw error;
    throw new UsageError(`${option}: ${file} cannot be used. ${error.message}`);
  }
}

/** What is wrong with a draft, in sentences. */
class DraftFault extends Error {}

function parseYaml(text: string): ContractDocument {
  const parsed = parseDocument(text);
  const [error] = parsed.errors;
  if (error !== undefined) {
    // An excerpt of the file follows.
    const [line = ''] = error.message.split('\n');
    throw new DraftFault(`It is neither YAML nor JSON: ${line.replace(/:$/, '')}.`);
  }
  try {
    // Aliases become copies, which references of OpenAPI cannot be confused with.
    return JSON.parse(JSON.stringify(parsed.toJS() ?? null));
  } catch {
    throw new DraftFault(
      'It has an alias of YAML that contains itself, or too many of them. Write $ref, or the parts themselves, in their place.',
    );
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expectVersion(document: unknown): void {
  const { openapi, swagger } = Object(document);
  const next = 'Write it in OpenAPI 3.0, and begin it with "openapi: 3.0.3".';
  if (swagger !== undefined) throw new DraftFault(`It is Swagger ${swagger}. ${next}`);
  if (openapi === undefined)
    throw new DraftFault(`It is no OpenAPI document, because it has no member "openapi". ${next}`);
  if (/^3\.0(?:\.|$)/.test(`${openapi}`)) return;
  throw new DraftFault(`It is OpenAPI ${openapi}, and Prism and Dredd together read only 3.0. ${next}`);
}

/** Returns whether a member is of a tool, and not of OpenAPI. Source: OAS 3.0.3, Specification Extensions */
function isExtension(name: string): boolean {
  return name.startsWith('x-');
}

/** Expects the members that we read to be of their types. */
function expectStructure(document: ContractDocument): void {
  const expectRecord = (keys: readonly string[]) => {
    const value = keys.reduce<unknown>((parent, key) => Object(parent)[key], document);
    if (!isRecord(value)) throw new DraftFault(`${toPointer(keys)} must be an object.`);
    return value;
  };
  expectRecord(['info']);
  for (const path of Object.keys(expectRecord(['paths'])).filter((one) => one.startsWith('/'))) {
    const item = expectRecord(['paths', path]);
    if ('$ref' in item)
      throw new DraftFault(`${toPointer(['paths', path])} is a reference. Write its operations there.`);
    for (const method of methods) if (method in item) expectWrittenOperation(['paths', path, method]);
    expectParameters(['paths', path], item);
  }
  function expectWrittenOperation(keys: readonly string[]) {
    const operation = expectRecord(keys);
    const statuses = Object.keys(expectRecord([...keys, 'responses'])).filter((one) => !isExtension(one));
    for (const status of statuses) expectRecord([...keys, 'responses', status]);
    if (operation.requestBody !== undefined) expectRecord([...keys, 'requestBody']);
    expectParameters(keys, operation);
  }
  function expectParameters(keys: readonly string[], { parameters = [] }: Readonly<Record<string, unknown>>) {
    const all = [...keys, 'parameters'];
    if (!Array.isArray(parameters)) throw new DraftFault(`${toPointer(all)} must be an array.`);
    for (const index of parameters.keys()) expectRecord([...all, `${index}`]);
  }
}

/** Members whose values are data, in which `$ref` is no reference. */
const dataMembers = new Set(['example', 'examples', 'default', 'enum', 'x-examples']);

/** Expects each reference to point to something in the file. */
function expectOwnReferences(document: ContractDocument, file: string): void {
  const walk = (node: unknown, keys: readonly string[]): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { readonly $ref?: unknown };
    if (typeof $ref === 'string') expectReference($ref, keys);
    // A member of an animal may have such a name, and a response is called default.
    const isNamed = keys.at(-1) === 'properties' || keys.at(-1) === 'responses';
    for (const [key, value] of Object.entries(node))
      if (isNamed || !dataMembers.has(key)) walk(value, [...keys, key]);
  };
  const expectReference = ($ref: string, keys: readonly string[]) => {
    const at = toPointer(keys);
    if (!$ref.startsWith('#'))
      throw new DraftFault(
        `${at} refers to another file, ${$ref}. Make one file of them, for example with: npx @redocly/cli bundle ${file} --output bundled.yaml`,
      );
    if (findByPointer(document, $ref) === undefined)
      throw new DraftFault(`${at} refers to ${$ref}, which the file does not have.`);
  };
  walk(document, []);
}

/** Expects schemas that validators can read: Prism would leave out one that is invalid, and find nothing. */
function expectSchemas(document: ContractDocument): void {
  const wrong = findWrongSchema(document);
  if (wrong !== undefined) throw new DraftFault(wrong);
}

/** Expects all operations of openapi.yaml, with their names, and a name for each other one. */
function expectOperations(document: ContractDocument): void {
  const missing = loadContract().operations.filter((one) => findPath(document, one) === undefined);
  if (missing.length > 0) {
    const list = missing.map(({ method, path }) => `${method} ${path} (${pointerOf(path, method)})`);
    const [them, operations] = missing.length === 1 ? ['it', 'the operation'] : ['them', 'the operations'];
    throw new DraftFault(
      `It lacks ${operations} ${list.join(', ')}. Add ${them}: a draft has every operation of openapi.yaml, because the checks are about these.`,
    );
  }
  for (const { operationId, method, path } of loadContract().operations) {
    const own = findPath(document, { method, path }) ?? path;
    const written = document.paths[own]?.[method.toLowerCase()];
    if (written?.operationId !== operationId)
      throw new DraftFault(
        `${pointerOf(own, method)}/operationId must be ${operationId}, as in openapi.yaml.`,
      );
  }
  expectNamed(document);
}

/** Expects a name for each operation, and each parameter of its path. */
function expectNamed(document: ContractDocument): void {
  const names = new Map<string, string>();
  for (const { operationId, method, path, parameters } of createContract(document).operations) {
    const at = pointerOf(path, method);
    if (typeof operationId !== 'string' || !OPERATION_ID.test(operationId))
      throw new DraftFault(
        `${at} needs an operationId of letters, digits, _ and -, such as deletePet, because reports name the operation with it.`,
      );
    const first = names.get(operationId);
    if (first !== undefined)
      throw new DraftFault(`${first} and ${at} have the same operationId, ${operationId}.`);
    names.set(operationId, at);
    const isDeclared = (name: string) => parameters.some((one) => one.in === 'path' && one.name === name);
    const undeclared = listPathParameters(path).find((name) => !isDeclared(name));
    if (undeclared !== undefined)
      throw new DraftFault(
        `${at}: the path has the parameter ${undeclared}, which parameters must declare, with in: path.`,
      );
  }
}

/** Expects each scheme that operations use to be a bearer token, which is the only key that both tools know. */
function expectBearer(document: ContractDocument): void {
  const { security, components } = document as ContractDocument & {
    readonly security?: unknown;
    readonly components?: { readonly securitySchemes?: Readonly<Record<string, unknown>> };
  };
  const ofOperations = createContract(document).operations.map((one) => Object(one).security);
  const used = [security, ...ofOperations].flat().flatMap((one) => Object.keys(Object(one)));
  for (const name of used) {
    const written = components?.securitySchemes?.[name];
    const { $ref } = Object(written);
    const { type, scheme } = Object(typeof $ref === 'string' ? findByPointer(document, $ref) : written);
    if (type === 'http' && /^bearer$/i.test(`${scheme}`)) continue;
    const at = toPointer(['components', 'securitySchemes', name]);
    throw new DraftFault(
      `${at} must have the type http and the scheme bearer, because the suite sends, and the proxy finds, a key only as "Authorization: Bearer".`,
    );
  }
}

function listPathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function pointerOf(path: string, method: string): string {
  return toPointer(['paths', path, method.toLowerCase()]);
}

/** Returns the path of an operation in a document, whose parameters may have other names. */
function findPath(
  { paths }: ContractDocument,
  { method, path }: Pick<Operation, 'method' | 'path'>,
): string | undefined {
  const toShape = (template: string) => template.replaceAll(/\{[^{}]*\}/g, '{}');
  return Object.keys(paths).find(
    (own) => toShape(own) === toShape(path) && paths[own]?.[method.toLowerCase()] !== undefined,
  );
}
