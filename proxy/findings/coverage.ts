import { type Contract, flattenSchema, jsonSchemaOf, type Schema } from '../../common/json/contract.ts';
import { type Exchange, isOfFault } from '../exchange.ts';

/**
 * Number of exchanges for each point of the contract: `listPets`, `listPets:200`, `listPets?status`, `listPets?status=sold`, and
 * optional members of requests (`createPet.status=sold`) and of responses (`listPets:200.status`).
 */
export type Coverage = Readonly<Record<string, number>>;

/** Lists the points of a contract, operation by operation. */
export function listPoints(contract: Contract): readonly string[] {
  const withValues = (point: string, schema: Schema) => {
    const { enum: values = [] } = flattenSchema(contract, schema);
    return [point, ...values.map((value) => `${point}=${value}`)];
  };
  const listMembers = (start: string, schema: Schema | undefined) => {
    const whole = flattenSchema(contract, schema);
    const { properties = {}, required = [] } =
      whole.items === undefined ? whole : flattenSchema(contract, whole.items);
    const optional = Object.entries(properties).filter(([name]) => !required.includes(name));
    return optional.flatMap(([name, member]) => withValues(`${start}.${name}`, member));
  };
  return contract.operations.flatMap(({ operationId: id, parameters, requestBody, responses }) => [
    id,
    ...parameters.flatMap((one) => (one.in === 'query' ? withValues(`${id}?${one.name}`, one.schema) : [])),
    ...listMembers(id, jsonSchemaOf(requestBody?.content)),
    ...Object.entries(responses).flatMap(([status, { content }]) => [
      `${id}:${status}`,
      ...listMembers(`${id}:${status}`, jsonSchemaOf(content)),
    ]),
  ]);
}

/** Lists the members that are points, by the part of the point before the dot, such as `status` by `createPet`. */
function listMembersOf(points: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const point of points) {
    const [, start = '', name = ''] = /^([^.=]+)\.([^=]+)$/.exec(point) ?? [];
    if (name !== '') members.set(start, [...(members.get(start) ?? []), name]);
  }
  return members;
}

/** Counts the exchanges of each point. A fault answers without the operation, so its response reaches nothing. */
export class CoverageRecord {
  readonly #counts: Map<string, number>;
  readonly #membersOf: ReadonlyMap<string, readonly string[]>;

  constructor(contract: Contract) {
    const points = listPoints(contract);
    this.#counts = new Map(points.map((point) => [point, 0]));
    this.#membersOf = listMembersOf(points);
  }

  add(exchange: Exchange): void {
    const { operationId: id, request, response, violations, sent, answered } = exchange;
    if (id === undefined || response === undefined || isOfFault(exchange)) return;
    const reached = new Set([id, `${id}:${response.status}`]);
    // An invalid value shows nothing of what the operation does with the parameter or with the member.
    const wrong = new Set(violations.map(({ place }) => place));
    // Violations have the names of parameters in lower case.
    const isWrongParameter = (name: string) => wrong.has(`request.query.${name.toLowerCase()}`);
    for (const [name, value] of new URLSearchParams(request.query))
      if (!isWrongParameter(name)) addPoints(reached, `${id}?${name}`, value);
    const isWrongMember = (name: string) => wrong.has(`request.body.${name}`);
    this.#addMembers(reached, id, sent, isWrongMember);
    this.#addMembers(reached, `${id}:${response.status}`, answered);
    for (const point of reached) {
      const count = this.#counts.get(point);
      if (count !== undefined) this.#counts.set(point, count + 1);
    }
  }

  /** Adds the members of an object, or of the objects in an array, that are points. */
  #addMembers(
    reached: Set<string>,
    start: string,
    json: unknown,
    isWrong: (name: string) => boolean = () => false,
  ): void {
    const members = this.#membersOf.get(start);
    if (members === undefined) return;
    const objects = [json].flat().filter((one) => typeof one === 'object' && one !== null) as JsonObject[];
    for (const name of members) {
      if (isWrong(name)) continue;
      const values = new Set(
        objects.filter((object) => Object.hasOwn(object, name)).map((object) => object[name]),
      );
      for (const value of values) addPoints(reached, `${start}.${name}`, value);
    }
  }

  read(): Coverage {
    return Object.fromEntries(this.#counts);
  }
}

function addPoints(reached: Set<string>, point: string, value: unknown): void {
  reached.add(point);
  if (typeof value === 'string') reached.add(`${point}=${value}`);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** What an operation's exchanges have reached. */
export interface OperationCoverage {
  readonly operationId: string;
  readonly exchanges: number;
  /** Without the name of the operation, such as `?status 3`. */
  readonly reached: readonly string[];
  /** Without the name of the operation. The values of a parameter that was not reached are not listed too. */
  readonly unreached: readonly string[];
}

/** Returns what each operation's exchanges have reached. */
export function listCoverage(coverage: Coverage): OperationCoverage[] {
  const byOperation = Map.groupBy(Object.entries(coverage), ([point]) => /^[\w-]+/.exec(point)?.[0] ?? '');
  return [...byOperation].map(([id, [[, exchanges] = ['', 0], ...others]]) => {
    const isListed = (point: string) => !point.includes('=') || coverage[point.replace(/=.*/, '')] !== 0;
    const left = others.filter(([point, times]) => times === 0 && isListed(point));
    const reached = others.filter(([, times]) => times > 0);
    return {
      operationId: id,
      exchanges,
      reached: reached.map(([point, times]) => `${point.slice(id.length)} ${times}`),
      unreached: left.map(([point]) => point.slice(id.length)),
    };
  });
}

/** Prints how many points were reached. */
export function printCoverageCount(coverage: Coverage): string {
  const counts = Object.values(coverage);
  return `${counts.filter((count) => count > 0).length} of ${counts.length} points of the contract`;
}

/** Prints the points of an operation that were reached, and those that were not. */
export function printPoints({ reached, unreached }: OperationCoverage): string {
  const left = unreached.length === 0 ? 'all points' : `without ${unreached.join(' ')}`;
  return `(${reached.join(', ')}), ${left}`;
}
