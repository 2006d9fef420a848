import { readOptionFile } from '../common/cli/option-files.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { type Contract, createContract, findByPointer, methods } from '../common/json/contract.ts';
import { loadContract } from '../common/load-contract.ts';

/** Maximum number of objects and lists of a contract. openapi.yaml has 221, and 100,000 take Prism's reader about five seconds. */
const MOST_PARTS = 100_000;

/** A document with paths that a user gave. */
interface Draft {
  readonly openapi?: unknown;
  readonly swagger?: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Returns the contract in a file of YAML or JSON, or openapi.yaml without one. Whether validators can read its schemas, `createCheck` finds.
 *
 * @throws UsageError naming the file and the reason
 */
export async function readContract(file: string | undefined, option: string): Promise<Contract> {
  if (file === undefined) return loadContract();
  const { parse } = await import('yaml');
  const text = await readOptionFile(file, option);
  try {
    const document = parse(text);
    if (typeof document?.paths !== 'object' || document.paths === null)
      throw new Error('It is no OpenAPI document, because it has no paths.');
    expectVersion(document);
    expectPaths(document);
    expectReferences(document);
    const contract = createContract(document, file);
    expectNames(contract);
    return contract;
  } catch (error) {
    // An excerpt of the file may follow.
    const [reason = ''] = (error as Error).message.split(/:?\n/);
    throw new UsageError(`${option}: ${file} cannot be used. ${reason}`);
  }
}

/** Prism reads Swagger 2.0 as a document without schemas, which every response would keep to. */
function expectVersion({ openapi, swagger }: Draft): void {
  if (/^3\.[01]\b/.test(String(openapi))) return;
  const found = Object.entries({ openapi, swagger }).find(([, version]) => version !== undefined);
  const end = found === undefined ? '' : `, and has "${found.join(': ')}"`;
  throw new Error(`It must have "openapi: 3.0" or "3.1"${end}.`);
}

function expectPaths({ paths }: Draft): void {
  const expectObject = (name: string, part: unknown) => {
    if (typeof part !== 'object' || part === null)
      throw new Error(`${name} must be an object, not ${JSON.stringify(part)}.`);
  };
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    if (!path.startsWith('/')) throw new Error(`The path ${path} does not begin with a slash.`);
    expectObject(`The path ${path}`, item);
    for (const method of methods)
      if (Object.hasOwn(item, method)) expectObject(`${method.toUpperCase()} ${path}`, item[method]);
  }
}

/** Expects operations, each with a name of its own. */
function expectNames({ operations }: Contract): void {
  if (operations.length === 0) throw new Error('It has no operation, so that it would check nothing.');
  const named = new Map<string, string>();
  for (const { operationId, method, path } of operations) {
    const name = `${method} ${path}`;
    if (operationId === undefined)
      throw new Error(`${name} needs an operationId, because reports name it by that.`);
    const other = named.get(operationId);
    if (other !== undefined)
      throw new Error(
        `${other} and ${name} have the same operationId, ${operationId}, by which reports name them.`,
      );
    named.set(operationId, name);
  }
}

/**
 * Expects references to what the document has, and not so many of them to each other that Prism's reader would take hours: it replaces each
 * by what it refers to, and neither a timer nor a signal could end it.
 */
function expectReferences(document: object): void {
  let count = 0;
  const visit = (part: unknown, pointer: string, parents: readonly unknown[]): void => {
    if (typeof part !== 'object' || part === null || parents.includes(part)) return;
    count += 1;
    if (count > MOST_PARTS)
      throw new Error(`With its references replaced it would have more than ${MOST_PARTS} parts.`);
    const within = [...parents, part];
    const { $ref } = part as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith('#')) {
      const found = findByPointer(document, $ref);
      if (found === undefined) throw new Error(`${pointer} refers to ${$ref}, which does not exist.`);
      const place = within.indexOf(found);
      if (place >= 0 && within.slice(place).every(isReference))
        throw new Error(`${pointer} refers only to itself.`);
      visit(found, $ref, within);
    }
    for (const [key, value] of Object.entries(part)) visit(value, `${pointer}/${key}`, within);
  };
  visit(document, '#', []);
}

function isReference(part: unknown): boolean {
  return Object.hasOwn(Object(part), '$ref');
}
