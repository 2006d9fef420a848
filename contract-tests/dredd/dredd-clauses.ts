import { loadContract, type Operation } from '../../common/json/contract.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { createFailure, Failed, NotApplicable, NotTested } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { findShape } from '../client/find-shape.ts';
import type { OpenApiFault } from '../failures/failure.ts';
import { isRefusedAsFull, ownAdditions } from '../vocabulary/additions.ts';
import type { Clause } from '../vocabulary/clause.ts';
import type { Context } from '../vocabulary/context.ts';
import { createFullStore, wrongStatus } from '../vocabulary/expectations.ts';
import { listStatuses } from './create-hooks.ts';
import { type DreddError, runDredd } from './run-dredd.ts';
import { toClauseId } from './to-clause-id.ts';

/** The longest message of Dredd that is shown, in characters. It repeats the values of the response. */
const LONGEST_MESSAGE = 300;

/** A clause for each transaction of Dredd, which is a response that the contract documents. */
export const dreddClauses: readonly Clause[] = loadContract().operations.flatMap(createClauses);

function createClauses(operation: Operation): readonly Clause[] {
  const { operationId } = operation;
  return listStatuses(operation).map((status) => ({
    id: toClauseId(`${operationId} ${status}`),
    heading: 'openapi.yaml',
    level: 'required',
    phase: 'single requests',
    isParallel: true,
    // The ids of listPets begin with list-pets/.
    explainedBy: [`${operationId.replace('Pet', '-pet')}/`, 'errors/', 'service/'],
    sentence: `Response ${status} of ${operationId} matches openapi.yaml.`,
    run: (context) => expectTransaction(operation, status, context),
  }));
}

/** @throws Failed when Dredd found an error in the response; Error when Dredd could not validate it */
async function expectTransaction(operation: Operation, status: string, context: Context): Promise<void> {
  const { operationId } = operation;
  const id = `${operationId} ${status}`;
  const transactions = await context.once(runDredd);
  await expectRoom(id, transactions, context);
  const transaction = await transactions.get(id);
  if (transaction === undefined) throw new Error(`Dredd made no transaction for ${id}.`);
  if ('skipped' in transaction) throw transaction.skipped;
  const { exchange, hasAnswered, result } = transaction;
  if (exchange === undefined) throw new Error(`Dredd sent no request for ${id}: ${result.fault}`);
  context.compare(exchange);
  const expected = Number(status);
  if (!hasAnswered) throw new Failed({ kind: 'no response', expected }, exchange);
  if (result.fault !== undefined) throw new Error(`Dredd could not validate ${id}: ${result.fault}`);
  if (result.isValid) return;
  const isRefused = exchange.status >= 400 && exchange.status < 500 && exchange.status !== 401;
  // A deployment may refuse names and categories; another clause checks that any animal can be added.
  if (id === 'createPet 201' && isRefused)
    throw new NotApplicable(
      `POST /pets refused the animal with ${exchange.status}, perhaps for its name or category`,
    );
  if (id === 'getPet 200' && exchange.status === 404) await expectNotRemoved(exchange, context);
  const isOtherStatus = result.errors.some(({ field }) => field === 'statusCode');
  if (isOtherStatus) throw wrongStatus(expected, exchange, {}, { what: 'openapi.yaml' });
  const [first, ...others] = result.errors.map((error): OpenApiFault => {
    const message = exchange.shorten(error.message, LONGEST_MESSAGE);
    const { field } = error;
    const found = field === 'body' ? findValue(error, exchange.json) : undefined;
    const parts = { member: findMember(error), message, ...(found && { found }) };
    return { kind: 'openapi.yaml', expected, field, ...parts };
  });
  if (first === undefined) throw new Error(`Dredd found no error in ${id}, which it does not accept.`);
  throw new Failed(first, exchange, { others: others.map((fault) => createFailure(fault, exchange)) });
}

type Transactions = Awaited<ReturnType<typeof runDredd>>;

/** @throws NotTested when the store is full, or the key may not add animals */
async function expectRoom(id: string, transactions: Transactions, context: Context): Promise<void> {
  if (id !== 'createPet 201' && id !== 'createPet 400') return;
  const creation = await transactions.get('createPet 201');
  const exchange = creation !== undefined && 'exchange' in creation ? creation.exchange : undefined;
  if (exchange !== undefined && isRefusedAsFull(exchange, context.target)) throw createFullStore(exchange);
}

/** Returns the array or the object that an error is about: Dredd calls both an object. */
function findValue({ location }: DreddError, json: ExactJson | undefined): OpenApiFault['found'] {
  const path = location?.property ?? [];
  let value = json;
  for (const part of path) {
    if (Array.isArray(value)) value = (value as readonly ExactJson[])[Number(part)];
    else value = value !== undefined && isJsonObject(value) ? value[part] : undefined;
  }
  if (!Array.isArray(value) && (value === undefined || !isJsonObject(value))) return undefined;
  return { pointer: path.map((part) => `/${part}`).join(''), shape: findShape(value) };
}

/** @throws NotTested when others have removed an animal before it was requested by its id */
async function expectNotRemoved({ requestedId }: Exchange, context: Context): Promise<void> {
  if (requestedId === undefined || ownAdditions(context).has(requestedId)) return;
  const isListed = (await context.listAnimals()).some(({ id }) => id === requestedId);
  if (!isListed) throw new NotTested(`others change the data: the animal ${requestedId} was removed`);
}

/** Returns the member that an error is about, or the header. */
function findMember({ location }: DreddError): string | undefined {
  return location?.property?.findLast((part) => !/^\d+$/.test(part));
}
