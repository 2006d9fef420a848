import type { ExchangeRequest } from '../exchange.ts';
import type { OwnRule } from './own-rules.ts';

/** End of every base URL. Source: specification, What the service does; openapi.yaml#/servers */
const PREFIX = '/v1';

/** A path of the contract, with the methods that it has. */
export interface KnownPath {
  readonly template: string;
  /** In capitals. */
  readonly methods: readonly string[];
}

/** Why a request is for no operation of the contract. */
interface UnknownPath {
  readonly location: readonly string[];
  readonly severity: 'error' | 'warning';
  readonly rule: Extract<OwnRule, 'unknown-path' | 'unknown-method' | 'empty-path-parameter'>;
  readonly message: string;
}

/** Finds out why no operation has the path and the method of a request, and what to send instead. */
export function findUnknownPath(
  { method: sent, path, target }: ExchangeRequest,
  known: readonly KnownPath[],
): UnknownPath {
  // HEAD is GET without a body. Source: RFC 9110 section 9.3.2
  const method = sent === 'HEAD' ? 'GET' : sent;
  const whole = target.replace(/\?.*$/s, '');
  const isKnown = (text: string) => known.some(({ template }) => isMatch(template, text));
  const location = ['request'];
  const warning = { location, severity: 'warning' } as const;
  const empty = known.find(
    ({ template, methods }) => methods.includes(method) && lacksParameter(template, path),
  );
  if (empty !== undefined) {
    const [, name = ''] = /\{(.*)\}$/.exec(empty.template) ?? [];
    const list = path.slice(0, -1);
    const message = `${name} is empty: the path is ${empty.template}, and the path of the list is ${list}`;
    return {
      location: [...location, 'path', name.toLowerCase()],
      severity: 'error',
      rule: 'empty-path-parameter',
      message,
    };
  }
  const same = known.find(({ template }) => isMatch(template, path));
  if (same !== undefined) {
    const message = `The contract has no ${sent} for ${same.template}, only ${same.methods.join(' and ')}`;
    return { ...warning, rule: 'unknown-method', message };
  }
  const start = 'The contract has no such path';
  const unknown = { ...warning, rule: 'unknown-path' } as const;
  if (path.startsWith(`${PREFIX}/`) && isKnown(path.slice(PREFIX.length)))
    return {
      ...unknown,
      message: `${start}: the base URL already ends with ${PREFIX}, so leave it out of the path`,
    };
  if (path === '' && isKnown(whole))
    return {
      ...unknown,
      message: `${start}: the base URL ends with ${PREFIX}, and this path is not under it`,
    };
  if (path.endsWith('/') && isKnown(path.slice(0, -1)))
    return { ...unknown, message: `${start}: leave out the slash at its end` };
  const paths = known.map(({ template }) => template).join(' and ');
  return { ...unknown, message: `${start}, only ${paths} under the base URL` };
}

function isMatch(template: string, path: string): boolean {
  const segments = path.split('/');
  const names = template.split('/');
  const fits = (name: string, index: number) => {
    const segment = segments[index] ?? '';
    return name.startsWith('{') ? segment !== '' : segment === name;
  };
  return names.length === segments.length && names.every(fits);
}

/** Returns whether a path is one of the template, without the parameter at its end. */
function lacksParameter(template: string, path: string): boolean {
  return template.endsWith('}') && path === template.replace(/\{[^{}]*\}$/, '');
}
