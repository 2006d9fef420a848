import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { findKeyError } from '../service/refuse-key.ts';
import type { Ask } from '../service/types.ts';
import type { Call } from './call.ts';
import type { Outcome } from './outcome.ts';

/**
 * Answers a request of the service.
 * @param operation Undefined if there is none at its path, or none with its method.
 * @throws an error that is a fault of the mock
 */
export async function takeCall(call: Call, operation: OperationName | undefined): Promise<Outcome> {
  const { session, store } = call;
  const ask = createAsk(call, operation);
  call.operation = session.findOperation(ask, store);
  const outcome = await session.enter(call);
  if (outcome !== undefined) return outcome;
  const body = await readBody(call);
  return { wire: 'whole', reply: session.answer({ ...ask, body }, store) };
}

const noBytes = new Uint8Array();

/** Describes a request of the service, without its body. */
export function createAsk(
  { method, path, url, query, headers, basePath }: Call,
  operation: OperationName | undefined,
): Ask {
  const search = url.slice(path.length).replace(/#.*/s, '');
  return { operation, method, path, query, search, headers, body: noBytes, basePath, marks: {} };
}

/** Reads the body of an operation that has one. Without a valid key, nobody waits for it. */
async function readBody(call: Call): Promise<Uint8Array | ApiError> {
  const { operation, headers, session } = call;
  const hasBody = operation === 'createPet' || operation === 'createMessage';
  if (!hasBody || findKeyError(headers.authorization, session.settings.apiKeys) !== undefined) return noBytes;
  try {
    return await call.readBody();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Returns the reply to a request that failed. An error that is not an ApiError is a fault of the mock.
 * @param reportFault is called with such an error.
 */
export function toErrorReply(error: unknown, reportFault: (error: unknown) => void): Reply {
  if (error instanceof ApiError) return error.reply;
  reportFault(error);
  return new ApiError('internal_error', 'The mock failed. Its log has the error. Please report it.').reply;
}
