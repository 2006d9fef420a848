import { ApiError, describeValue } from '../../common/api-error.ts';

/** Expects the name of a snapshot or a session. @param what as in "A snapshot". @throws ApiError `invalid_request` */
export function expectName(what: string, name: unknown): void {
  if (typeof name === 'string' && /^[\w.-]{1,64}$/.test(name) && !/^\.+$/.test(name)) return;
  const expected = 'up to 64 letters, digits, ".", "_" and "-"';
  const given = describeValue(name as string);
  throw new ApiError('invalid_request', `${what}'s name must be ${expected}, not ${given}.`);
}
