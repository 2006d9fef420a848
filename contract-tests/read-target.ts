import { expectOptions } from '../common/cli/options.ts';
import { deploymentOptions } from './resolve-verify-options.ts';

const EXAMPLE =
  'ANIMAL_STORE_URL=https://staging.example/v1 ANIMAL_STORE_API_KEY=your-key npm run test:contract';

const { baseUrl, apiKey } = deploymentOptions;

/**
 * Reads the deployment that ANIMAL_STORE_URL names, with the key in ANIMAL_STORE_API_KEY. It is only read from, unless
 * ALLOW_WRITES is 1.
 * @throws Error that names each variable that is missing, or UsageError for one that is wrong
 */
export function readTarget({
  ANIMAL_STORE_URL = '',
  ANIMAL_STORE_API_KEY = '',
  ALLOW_WRITES,
}: NodeJS.ProcessEnv) {
  const required = { ANIMAL_STORE_URL, ANIMAL_STORE_API_KEY };
  const missing = Object.entries(required).flatMap(([name, value]) => (value === '' ? [name] : []));
  if (missing.length > 0) {
    const are = missing.length === 1 ? 'is' : 'are';
    throw new Error(`${missing.join(' and ')} ${are} missing. Set both variables, such as: ${EXAMPLE}`);
  }
  const given = { baseUrl: ANIMAL_STORE_URL, apiKey: ANIMAL_STORE_API_KEY };
  const nameOf = (name: string) => (name === 'baseUrl' ? 'ANIMAL_STORE_URL' : 'ANIMAL_STORE_API_KEY');
  const checked = expectOptions({ baseUrl, apiKey }, given, undefined, nameOf);
  return { ...checked, allowWrites: ALLOW_WRITES === '1' };
}
