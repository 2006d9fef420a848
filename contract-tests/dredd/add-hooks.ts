import { randomInt } from 'node:crypto';
import { loadContract } from '../../common/json/contract.ts';
import { createHideKeys } from '../../common/text/hide-keys.ts';
import { describeControl, trimKey } from '../../common/text/trim-key.ts';
import { isStatusOfRemoval, REMOVAL } from '../vocabulary/removal.ts';
import type { DreddTransaction, TransactionValues } from './create-hooks.ts';
import { createHooks, listWriting, TRANSACTION_ID } from './create-hooks.ts';

/** The functions that Dredd gives to a file of hooks. */
interface Hooks {
  /** A copy of what Dredd was started with. */
  readonly configuration: { readonly custom: { readonly values?: TransactionValues } };
  log(text: string): void;
  beforeAll(hook: (transactions: readonly DreddTransaction[]) => void): void;
  beforeEach(hook: (transaction: DreddTransaction) => void): void;
  beforeEachValidation(hook: (transaction: DreddTransaction) => void): void;
  afterEach(hook: (transaction: DreddTransaction) => void): void;
}

/**
 * Adds the hooks to a run of Dredd. The suite gives their values. For Dredd's own command they are read from
 * ANIMAL_STORE_API_KEY and from the first list, and POST requests are sent only if ALLOW_WRITES is 1.
 */
export function addHooks(hooks: Hooks, environment: NodeJS.ProcessEnv): void {
  const { values } = hooks.configuration.custom;
  if (values === undefined) addHooksOfCommand(hooks, environment);
  else addHooksOfSuite(hooks, values);
}

function addHooksOfSuite(hooks: Hooks, values: TransactionValues): void {
  const { identify, beforeEach, beforeEachValidation } = createHooks(values);
  hooks.beforeEach((transaction) => {
    transaction.request.headers[TRANSACTION_ID] = identify(transaction);
  });
  hooks.beforeEach(beforeEach);
  hooks.beforeEachValidation(beforeEachValidation);
}

function addHooksOfCommand(hooks: Hooks, { ANIMAL_STORE_API_KEY, ALLOW_WRITES }: NodeJS.ProcessEnv): void {
  const apiKey = trimKey(ANIMAL_STORE_API_KEY ?? '');
  const control = describeControl(apiKey);
  const missing = apiKey === '' ? 'The API key is missing. Set ANIMAL_STORE_API_KEY.' : undefined;
  const problem = control === undefined ? missing : `ANIMAL_STORE_API_KEY must not contain ${control}.`;
  if (problem !== undefined) {
    hooks.beforeAll(createFailAll(problem));
    return;
  }
  const allowsWrites = ALLOW_WRITES === '1';
  if (!allowsWrites) hooks.log('Read-only: no POST request is sent. Set ALLOW_WRITES=1 to add an animal.');
  // As many digits as in the names of the suite.
  const number = String(randomInt(10 ** 10)).padStart(10, '0');
  const name = `contract-test ${number} Dredd`;
  const { identify, beforeEach, beforeEachValidation } = createHooks({
    apiKey,
    name,
    skipped: allowsWrites ? [] : listWriting(loadContract()),
  });
  hooks.beforeEach(beforeEach);
  hooks.beforeEachValidation(beforeEachValidation);
  hooks.beforeEachValidation(createSkipRemoved(identify, hooks));
  hooks.afterEach(createRedact(apiKey));
}

/** Creates a hook that skips the transactions of getPet if it has been removed. The suite itself knows that before a run. */
function createSkipRemoved(identify: (transaction: DreddTransaction) => string, { log }: Pick<Hooks, 'log'>) {
  let isServed = false;
  return (transaction: DreddTransaction): void => {
    const { real } = transaction;
    const isGetPet = identify(transaction).startsWith('getPet ');
    if (real === undefined || !isGetPet || Date.now() < REMOVAL.getTime()) return;
    isServed ||= real.statusCode === 200;
    if (isServed || !isStatusOfRemoval(real.statusCode)) return;
    transaction.skip = true;
    log('GET /pets/{petId} has been removed, as announced.');
  };
}

/** Creates a hook that fails the run with one message, and sends nothing. An error would only be a warning of Dredd. */
function createFailAll(message: string) {
  return (transactions: readonly DreddTransaction[]): void => {
    for (const transaction of transactions) transaction.skip = true;
    const [first] = transactions;
    if (first === undefined) return;
    first.skip = false;
    first.fail = message;
  };
}

/** Creates a hook that redacts the key before Dredd prints a failure, with its request and its response. */
function createRedact(apiKey: string) {
  const hide = createHideKeys([apiKey]);
  const hideAll = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(String(value))]));
  return ({ request, real, test }: DreddTransaction): void => {
    request.headers = hideAll(request.headers);
    if (real !== undefined) real.headers = hideAll(real.headers);
    if (real?.body !== undefined) real.body = hide(real.body);
    if (test !== undefined) test.message = hide(test.message);
  };
}
