import { readOptionFileNow } from '../common/cli/option-files.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { type Contract, createContract, findByPointer } from '../common/json/contract.ts';
import { loadContract } from '../common/load-contract.ts';

/** Maximum number of objects and lists of a contract. openapi.yaml has 221, and 100,000 take Prism's reader about five seconds. */
const MOST_PARTS = 100_000;

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
    const strange = Object.keys(document.paths).find((path) => !/^(?:\/|x-)/.test(path));
    if (strange !== undefined) throw new Error(`The path ${strange} does not begin with a slash.`);
    expectReferences(document);
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
      visit(found, $ref, within);
    }
    for (const [key, value] of Object.entries(part)) visit(value, `${pointer}/${key}`, within);
  };
  visit(document, '#', []);
}
