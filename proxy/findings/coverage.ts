import { type Contract, flattenSchema, jsonSchemaOf, type Schema } from '../../common/json/contract.ts';
import type { Exchange, ExchangeResponse } from '../exchange.ts';

/**
 * Number of exchanges for each part of the contract: `listPets`, `listPets:200`, `listPets?status`, `listPets?status=sold`, and
 * optional members of requests (`createPet.status=sold`) and of responses (`listPets:200.status`).
 */
export type Coverage = Readonly<Record<string, number>>;

/** Lists the parts of a contract, operation by operation. */
export function listParts(contract: Contract): readonly string[] {
  const withValues = (part: string, schema: Schema) => {
    const { enum: values = [] } = flattenSchema(contract, schema);
    return [part, ...values.map((value) => `${part}=${value}`)];
  };
  const listOptional = (start: string, schema: Schema | undefined) => {
    const whole = flattenSchema(contract, schema);
    const { properties = {}, required = [] } =
      whole.items === undefined ? whole : flattenSchema(contract, whole.items);
    const optional = Object.entries(properties).filter(([name]) => !required.includes(name));
    return optional.flatMap(([name, member]) => withValues(`${start}.${name}`, member));
  };
  return contract.operations.flatMap(({ operationId: id, parameters, requestBody, responses }) => [
    id,
    ...parameters.flatMap((one) => (one.in === 'query' ? withValues(`${id}?${one.name}`, one.schema) : [])),
    ...listOptional(id, jsonSchemaOf(requestBody?.content)),
    ...Object.entries(responses).flatMap(([status, { content }]) => [
      `${id}:${status}`,
      ...listOptional(`${id}:${status}`, jsonSchemaOf(content)),
    ]),
  ]);
}

/** Adds one to the count of each part that an exchange reaches. @param counts by part. @param response of an operation. */
export function countReached(
  counts: Map<string, number>,
  { operationId: id, request, sent, answered, violations }: Exchange,
  { status }: ExchangeResponse,
): void {
  const reached = new Set([`${id}`, `${id}:${status}`]);
  const reach = (part: string, value: unknown) => {
    if (!counts.has(part)) return;
    reached.add(part);
    if (typeof value === 'string') reached.add(`${part}=${value}`);
  };
  // An invalid value shows nothing of what the operation does with the parameter or with the member, and neither does a refused key.
  const wrong = new Set(violations.map(({ place }) => place));
  const reachSent = (place: string, part: string, value: unknown) => {
    if (status !== 401 && !wrong.has(place)) reach(part, value);
  };
  // Violations have the names of parameters in lower case.
  for (const [name, value] of new URLSearchParams(request.query))
    reachSent(`request.query.${name.toLowerCase()}`, `${id}?${name}`, value);
  for (const [name, value] of listMembers(sent)) reachSent(`request.body.${name}`, `${id}.${name}`, value);
  for (const [name, value] of listMembers(answered)) reach(`${id}:${status}.${name}`, value);
  for (const part of reached) {
    const count = counts.get(part);
    if (count !== undefined) counts.set(part, count + 1);
  }
}

/** Lists the members of an object, or of the objects in an array. */
function listMembers(json: unknown): [name: string, value: unknown][] {
  return [json].flat().flatMap((one) => (typeof one === 'object' && one !== null ? Object.entries(one) : []));
}

/** Prints how many parts were reached, and which ones of each operation, a line for each. */
export function printCoverage(coverage: Coverage, operationIds: readonly string[]): string[] {
  const counts = Object.values(coverage);
  const reached = counts.filter((count) => count > 0).length;
  return [
    `coverage: ${reached} of ${counts.length} parts of the contract`,
    ...operationIds.map((id) => `  ${id}: ${printParts(coverage, id)}`),
  ];
}

function printParts(coverage: Coverage, operationId: string): string {
  const ends = Object.keys(coverage).flatMap((part) =>
    part.startsWith(operationId) && /^[?:.]/.test(part.slice(operationId.length))
      ? [part.slice(operationId.length)]
      : [],
  );
  const count = (end: string) => coverage[operationId + end] ?? 0;
  if (count('') === 0) return 'not reached';
  const reached = ends.filter((end) => count(end) > 0);
  // The values of a parameter or a member that was not reached are not listed too.
  const left = ends.filter(
    (end) => count(end) === 0 && (!end.includes('=') || count(end.replace(/=.*/, '')) > 0),
  );
  const others = left.length === 0 ? 'all parts' : `without ${left.join(' ')}`;
  const parts = reached.length === 0 ? '' : ` (${reached.map((end) => `${end} ${count(end)}`).join(', ')})`;
  return `${count('')}${parts}, ${others}`;
}
