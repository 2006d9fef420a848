import type { JsonObject } from '../json/exact-json.ts';
import { type Exchange, hasValidKey, type Target } from './exchange.ts';
import { isStatus } from './lists.ts';

/** Statuses of a refusal for another reason than the body: payment, rights, a conflict, and Insufficient Storage. */
const FULL_STATUSES: readonly number[] = [402, 403, 409, 507];

/** Returns whether the service refused an animal for another reason than its body. Without an Error, it was not the service. */
export function isRefusedAsFull(exchange: Exchange, target: Target): boolean {
  const { request, status, object, isOverQuota } = exchange;
  const isCreation = request.method === 'POST' && request.path === '/pets' && hasValidKey(exchange, target);
  const isOfService = typeof object?.code === 'string' && typeof object.status === 'bigint';
  return isCreation && (FULL_STATUSES.includes(status) || isOverQuota) && isOfService;
}

export function isNewPet({ name, categoryId, status }: JsonObject): boolean {
  const isValid = status === undefined || isStatus(status);
  return typeof name === 'string' && typeof categoryId === 'bigint' && isValid;
}

/** Returns whether the categoryId of a body is written as in 1.0 or 1e2. */
export function hasNotation({ request }: Exchange): boolean {
  return /"categoryId"\s*:\s*-?\d+[.eE]/.test(request.body ?? '');
}
