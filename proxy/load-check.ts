import type { Contract } from '../common/json/contract.ts';
import type { Keys } from '../common/text/redact.ts';
import type { CheckRequest } from './exchange.ts';
import { redactCheck } from './findings/redact-exchange.ts';

/**
 * Loads Prism's modules, which take twice as long to start as all the rest of a proxy, and creates the check, whose violations have
 * no keys.
 *
 * @throws UsageError naming the draft, and why Prism or ajv cannot read it
 */
export async function loadCheck(contract: Contract, keys: Keys): Promise<CheckRequest> {
  const { createCheck } = await import('./validate/create-check.ts');
  return redactCheck(await createCheck(contract), keys);
}
