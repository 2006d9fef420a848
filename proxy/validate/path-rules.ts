import type { Contract, Operation } from '../../common/json/contract.ts';
import { type ExchangeRequest, UNREAD } from '../exchange.ts';
import { isRouted } from './prism.ts';
import type { Fault, Rule } from './rule.ts';

/** End of every base URL. Source: specification, What the service does; openapi.yaml#/servers */
const PREFIX = '/v1';

/** A request that is for no operation. */
interface StrayRequest {
  readonly request: ExchangeRequest;
  readonly contract: Contract;
}

const location = ['request'];

/** The rules for a request that is for no operation. Only the first that it breaks counts. */
export const pathRules: readonly Rule<StrayRequest>[] = [
  {
    id: 'unreadable',
    meaning: 'invalid HTTP, headers above 16 KiB, an undecodable path, or too many open requests',
    severity: 'error',
    find: ({ request: { malformed, method } }) => {
      if (malformed === undefined) return [];
      const unread = method === UNREAD ? ', so its method and path could not be read' : '';
      const message = malformed.replace(/\.$/, unread);
      return [{ location, message, ...(method === UNREAD && { received: undefined }) }];
    },
  },
  {
    id: 'empty-path-parameter',
    meaning: 'no id: `/pets/` instead of `/pets/1`',
    severity: 'error',
    find: ({ request: { method, path }, contract }) =>
      contract.operations
        .filter((one) => one.method === toGet(method) && lacksParameter(one, path))
        .map((one): Fault => {
          const [, name = ''] = /\{(.*)\}$/.exec(one.path) ?? [];
          const message = `${name} is empty: the path is ${one.path}, and the path of the list is ${path.slice(0, -1)}`;
          return { location: ['request', 'path', name.toLowerCase()], message };
        }),
  },
  {
    id: 'unknown-method',
    meaning: 'a method that the path does not have',
    severity: 'warning',
    find({ request: { method, path }, contract }) {
      const known = contract.operations.filter((one) => isRouted(one, path));
      const methods = known.map((one) => one.method).join(' and ');
      const message = `The contract has no ${method} for ${known[0]?.path}, only ${methods}`;
      return known.length === 0 ? [] : [{ location, message }];
    },
  },
  {
    id: 'unknown-path',
    meaning: 'a path that the contract does not have',
    severity: 'warning',
    find: ({ request, contract }) => [
      { location, message: `The contract has no such path${describePath(request, contract)}` },
    ],
  },
];

/** HEAD is GET without a body. Source: RFC 9110 section 9.3.2 */
function toGet(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** Says what to send instead. */
function describePath({ path, target }: ExchangeRequest, { operations }: Contract): string {
  const isKnown = (text: string) => operations.some((one) => isRouted(one, text));
  if (path.startsWith(`${PREFIX}/`) && isKnown(path.slice(PREFIX.length)))
    return `: the base URL already ends with ${PREFIX}, so leave it out of the path`;
  if (path === '' && isKnown(target.replace(/\?.*$/s, '')))
    return `: the base URL ends with ${PREFIX}, and this path is not under it`;
  if (path.endsWith('/') && isKnown(path.slice(0, -1))) return ': leave out the slash at its end';
  const paths = new Set(operations.map((one) => one.path));
  return `, only ${[...paths].join(' and ')} under the base URL`;
}

/** Returns whether a path is one of the operation, without the parameter at its end. */
function lacksParameter({ path: template }: Operation, path: string): boolean {
  return template.endsWith('}') && path === template.replace(/\{[^{}]*\}$/, '');
}
