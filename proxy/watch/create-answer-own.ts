import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toOriginForm } from '../../common/answer-client-error.ts';
import { ApiError } from '../../common/api-error.ts';
import { contractFile } from '../../common/contract-file.ts';
import { createConsole } from '../../common/control/create-console.ts';
import type { Verifications } from '../../common/control/create-verifications.ts';
import {
  type AnswerLine,
  type ControlRequest,
  createFindAnswer,
  writeReply,
} from '../../common/control/find-answer.ts';
import { hasTicket } from '../../common/control/watch-answers.ts';
import { createRefuseKey } from '../../common/refuse-key.ts';
import { createReply, type Reply } from '../../common/reply.ts';

/** Answers a request that is for the proxy itself. @returns whether it was one. */
export type AnswerOwn = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The largest body that the console may send, in bytes. */
export const LARGEST_OWN_BODY = 65_536;

const pattern = /^\/__console(\/(?:__console\/([\w./-]+))?)?(?:\?.*)?$/;

/** Creates what answers beneath `/__console`: the page, and what it asks for, which is told to who has the token. */
export function createAnswerOwn(
  lines: Iterable<AnswerLine<undefined>>,
  token: string,
  verifications: Verifications,
): AnswerOwn {
  const findAnswer = createFindAnswer(lines, '/__console/__admin');
  const refuseToken = createRefuseKey([token], 'token of the console', '<TOKEN>');
  // What a host may be has been looked at.
  const answerPage = createConsole({ pattern, isShared: false, isHostAllowed: () => true });
  const answer = async (request: ControlRequest, response: ServerResponse, path: string) => {
    const refusal = hasTicket(verifications, request)
      ? undefined
      : refuseToken(request.headers.authorization);
    if (refusal !== undefined) throw refusal;
    const [found, param] = findAnswer(request.method ?? '', path);
    request.body = await readBody(request);
    await found(undefined, request, response, param);
  };
  return (request, response) => {
    const url = toOriginForm(request.url ?? '');
    if (!/^\/__console(?:[/?]|$)/.test(url)) return false;
    request.url = url;
    const [, path] = /^\/__console\/__admin(\/[^?]*)/.exec(url) ?? [];
    if (path !== undefined) answer(request, response, path).catch((error) => writeError(response, error));
    else if (request.method === 'GET' && /^\/__console\/docs\/openapi\.yaml(?:\?|$)/.test(url)) {
      writeReply(response, readContract());
    } else if (!answerPage(request, response)) {
      writeError(response, new ApiError('not_found', `There is nothing at ${url}.`));
    }
    return true;
  };
}

/** What violations lead to. */
function readContract(): Reply {
  return createReply(200, readFileSync(contractFile, 'utf8'), { 'Content-Type': 'application/yaml' });
}

/** @throws ApiError `payload_too_large`, when all of it has come: who still sends would not read why it was refused. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= LARGEST_OWN_BODY) chunks.push(chunk);
  }
  if (size <= LARGEST_OWN_BODY) return Buffer.concat(chunks);
  throw new ApiError('payload_too_large', `The body is larger than ${LARGEST_OWN_BODY} bytes.`);
}

function writeError(response: ServerResponse, error: unknown): void {
  writeReply(response, toApiError(error as Error).reply);
}

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  // What cannot be decoded names nothing.
  if (error instanceof URIError)
    return new ApiError('not_found', 'There is nothing at a path that cannot be decoded.');
  return new ApiError('internal_error', `The proxy failed: ${error.message}.`);
}
