import { ApiError } from '../../common/http/api-error.ts';
import type { BehaviourSource } from './behaviour-source.ts';

const GENERAL = 'The request is invalid.';

/** Returns the error of wrong members as it is, or one whose message names none of them. The log keeps the names. */
export function nameRefusedMember(error: ApiError, source: BehaviourSource): ApiError {
  if (source.behaviour.refusedMember === 'named') return error;
  source.noteActed('refusedMember');
  return new ApiError('invalid_request', GENERAL, {}, error.message).ofKind(error.reply.error?.kind);
}
