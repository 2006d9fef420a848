import { findOperation, jsonSchemaOf, loadContract, type Operation } from '../../common/json/contract.ts';
import { NotApplicable, NotTested, type Skipped, TooFewAnimals } from '../client/clause-errors.ts';
import { isReading } from '../client/exchange.ts';
import type { Context } from '../vocabulary/context.ts';
import { makeValue } from '../vocabulary/make-value.ts';
import { listStatuses, listTransactions, type PlannedRequest, UNKNOWN_ID } from './create-hooks.ts';

/** What the transactions need that only a draft has. */
export interface DraftPlan {
  /** The requests, by the ids of the transactions. */
  readonly requests: Readonly<Record<string, PlannedRequest>>;
  /** Why the other transactions are not sent. */
  readonly skipped: ReadonlyMap<string, Skipped>;
}

/**
 * Plans the transactions that only a draft has. Of an added operation they are its first 2xx, its 401, and its 404 if it is about one
 * animal: what gets another status, only the words of the draft say.
 *
 * @param existing id of an animal that exists, in digits; undefined if there is none
 * @param isSent returns whether a transaction is sent at all
 */
export async function planDraft(
  context: Context,
  existing: string | undefined,
  isSent: (id: string) => boolean,
): Promise<DraftPlan> {
  const { contract } = context.target;
  const requests: Record<string, PlannedRequest> = {};
  const skipped = new Map<string, Skipped>();
  const known = listTransactions(loadContract());
  for (const operation of contract.operations) {
    const success = listStatuses(operation).find((status) => status.startsWith('2'));
    for (const status of listStatuses(operation)) {
      const id = `${operation.operationId} ${status}`;
      if (known.includes(id) || !isSent(id)) continue;
      const planned = await planOne(context, operation, status, { isSuccess: status === success, existing });
      if (planned instanceof Error) skipped.set(id, planned);
      else requests[id] = planned;
    }
  }
  return { requests, skipped };
}

interface Plan {
  readonly isSuccess: boolean;
  readonly existing: string | undefined;
}

async function planOne(
  context: Context,
  operation: Operation,
  status: string,
  { isSuccess, existing }: Plan,
): Promise<PlannedRequest | Skipped> {
  const { operationId } = operation;
  const isAdded = loadContract().operations.every((one) => one.operationId !== operationId);
  const isOfAnimal = isAboutAnimal(operation, context);
  const isDeserved = isSuccess || status === '401' || (status === '404' && isOfAnimal);
  if (!isAdded || !isDeserved)
    return new NotApplicable(`the suite knows no request of ${operationId} that deserves ${status}`);
  if (operation.method === 'HEAD')
    return new NotTested(`the suite sends no HEAD, so it does not test ${operationId}`);
  if (!isSuccess || !isOfAnimal) return createRequest(context, operation, UNKNOWN_ID);
  if (isReading(operation)) {
    if (existing === undefined) return new TooFewAnimals('the list has no animals');
    return createRequest(context, operation, existing);
  }
  const id = await addToChange(context);
  return id === undefined
    ? new NotTested(`no animal could be added for ${operationId}`)
    : createRequest(context, operation, id);
}

/** Adds an animal that a transaction may change or remove, so that no clause expects it to stay. */
async function addToChange(context: Context): Promise<string | undefined> {
  const exchange = await context.post(await context.createPet('of the draft'));
  if (!exchange.isAddition || exchange.id === undefined) return undefined;
  context.run.givenAway.add(exchange);
  return String(exchange.id);
}

/** Returns the first segments of the path of one animal, such as `/pets/{petId}`. */
function animalPath({ target }: Context): readonly string[] {
  return findOperation(target.contract, 'getPet').path.split('/');
}

/** Returns whether the path of an operation begins with that of one animal. */
function isAboutAnimal({ path }: Operation, context: Context): boolean {
  const segments = path.split('/');
  return animalPath(context).every((wanted, index) => {
    const segment = segments[index] ?? '';
    return wanted.startsWith('{') ? segment.startsWith('{') : segment === wanted;
  });
}

function createRequest(context: Context, operation: Operation, id: string): PlannedRequest | NotTested {
  const { contract } = context.target;
  const { parameters, path, requestBody } = operation;
  const idIndex = isAboutAnimal(operation, context)
    ? animalPath(context).findIndex((one) => one.startsWith('{'))
    : -1;
  let lacking: string | undefined;
  const textOf = (place: 'path' | 'query' | 'header', name: string): string => {
    const parameter = parameters.find((one) => one.in === place && one.name === name);
    const value = parameter && makeValue(contract, parameter.schema, parameter.example);
    if (value === undefined || typeof value === 'object') lacking ??= name;
    return String(value);
  };
  const segments = path.split('/').map((segment, index) => {
    if (!segment.startsWith('{')) return segment;
    return index === idIndex ? id : encodeURIComponent(textOf('path', segment.slice(1, -1)));
  });
  const required = (place: 'query' | 'header') =>
    parameters
      .filter((one) => one.in === place && one.required === true)
      .map(({ name }) => [name, textOf(place, name)] as const);
  const query = new URLSearchParams(Object.fromEntries(required('query'))).toString();
  const headers = Object.fromEntries(required('header'));
  const schema = jsonSchemaOf(requestBody?.content);
  const example = requestBody?.content['application/json']?.example;
  const body = schema === undefined ? undefined : JSON.stringify(makeValue(contract, schema, example));
  if (lacking !== undefined)
    return new NotTested(
      `${contract.name}: the parameter ${lacking} of ${operation.operationId} needs an example`,
    );
  return {
    path: segments.join('/') + (query === '' ? '' : `?${query}`),
    headers,
    ...(body !== undefined && { body }),
  };
}
