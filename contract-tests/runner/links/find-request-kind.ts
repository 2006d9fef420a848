import { isJsonObject, parseExactJson } from '../../../common/json/exact-json.ts';
import type { SuiteRequest } from '../../client/exchange.ts';
import { isStatus, listInvalidParameters, queryOf } from '../../vocabulary/list-parameters.ts';

/** The kind of a valid request. */
export const VALID = 'valid';

/** Finds what is wrong with a request by the contract, such as a member or a parameter; `valid` if nothing is. */
export function findRequestKind({ method, path, body = '' }: SuiteRequest): string {
  if (method === 'POST') return findBodyKind(body);
  const [place] = path.split('?');
  return (place === '/pets' && listInvalidParameters(queryOf(path)).join()) || VALID;
}

function findBodyKind(body: string): string {
  try {
    const value = parseExactJson(body);
    if (!isJsonObject(value)) return 'no object';
    const { name, categoryId, status } = value;
    return listFaults({
      // A decoder that takes null for a missing value does so for every member.
      null: [name, categoryId, status].includes(null),
      missing: name === undefined || categoryId === undefined,
      name: name != null && typeof name !== 'string',
      categoryId: categoryId != null && typeof categoryId !== 'bigint',
      status: status != null && !isStatus(status),
    });
  } catch {
    return body === '' ? 'no body' : 'malformed';
  }
}

function listFaults(faults: Readonly<Record<string, boolean>>): string {
  const found = Object.entries(faults).flatMap(([fault, is]) => (is ? [fault] : []));
  return found.join() || VALID;
}
