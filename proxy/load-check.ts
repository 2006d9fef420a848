import type { Contract } from '../common/json/contract.ts';
import type { CheckRequest, FoundViolation } from './exchange.ts';

/**
 * Loads Prism's modules, which take twice as long to start as all the rest of a proxy, and creates the check.
 *
 * @throws UsageError naming the draft, and why Prism or ajv cannot read it
 */
export async function loadCheck(contract: Contract): Promise<CheckRequest<FoundViolation>> {
  const { createCheck } = await import('./validate/create-check.ts');
  return createCheck(contract);
}
