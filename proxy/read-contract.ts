import { readOptionFileNow } from '../common/cli/option-files.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { type Contract, createContract } from '../common/json/contract.ts';
import { loadContract } from '../common/load-contract.ts';

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
