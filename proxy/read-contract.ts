import { readOptionFileNow } from '../common/cli/option-files.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { type Contract, createContract, findByPointer } from '../common/json/contract.ts';
import { loadContract } from '../common/load-contract.ts';
import { hasNestedQuantifiers } from './has-nested-quantifiers.ts';

/** Maximum number of objects and lists of a contract. openapi.yaml has 221, and 100,000 take Prism's reader about five seconds. */
const MAX_PARTS = 100_000;

/**
 * Returns the contract in a file of YAML or JSON, or openapi.yaml without one. Whether validators can read its schemas, `createCheck` finds.
 *
 * @throws UsageError naming the file and the reason
 */
export async function readContract(file: string | undefined, option: string): Promise<Contract> {
  if (file === undefined) return loadContract();
  const { parse } = await import('yaml');
  const text = readOptionFileNow(file, option);
  try {
    const document = parse(text);
    if (typeof document?.paths !== 'object' || document.paths === null)
      throw new Error('It is no OpenAPI document, because it has no paths.');
    expectReadable(document);
    const contract = createContract(document, file);
    const unnamed = contract.operations.find(({ operationId }) => operationId === undefined);
    if (unnamed !== undefined)
      throw new Error(
        `${unnamed.method} ${unnamed.path} needs an operationId, because reports name it by that.`,
      );
    return contract;
  } catch (error) {
    // An excerpt of the file may follow.
    const [reason = ''] = (error as Error).message.split(/:?\n/);
    throw new UsageError(`${option}: ${file} cannot be used. ${reason}`);
  }
}

/**
 * Expects a document that can be read and checked in a short time. Prism's reader replaces each reference by what it refers to, without
 * a pause in which a timer or a signal could end it, so the parts are counted first.
 */
function expectReadable(document: object): void {
  let count = 0;
  const visit = (part: unknown, pointer: string, parents: readonly object[]): void => {
    if (typeof part !== 'object' || part === null || parents.includes(part)) return;
    count += 1;
    if (count > MAX_PARTS)
      throw new Error(`With its references replaced it would have more than ${MAX_PARTS} parts.`);
    expectFastPatterns({ ...part }, pointer);
    const within = [...parents, part];
    const { $ref } = part as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith('#')) {
      const found = findByPointer(document, $ref);
      if (found === undefined) throw new Error(`${pointer} refers to ${$ref}, which does not exist.`);
      visit(found, $ref, within);
    }
    for (const [key, value] of Object.entries(part)) visit(value, `${pointer}/${key}`, within);
  };
  visit(document, '#', []);
}

function expectFastPatterns(schema: Readonly<Record<string, unknown>>, pointer: string): void {
  const patterns = [schema.pattern, ...Object.keys(Object(schema.patternProperties))];
  const slow = patterns.find((one) => typeof one === 'string' && hasNestedQuantifiers(one));
  if (slow !== undefined)
    throw new Error(
      `${pointer} has the pattern ${slow}, which repeats what is itself repeated, so that a short text may take hours to check.`,
    );
}
