import { defaultBehaviour } from '../../common/behaviour/behaviours.ts';
import type { Behaviour } from '../../common/behaviour/choices.ts';
import { chooseCode } from '../../common/behaviour/error-codes.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { inventMembers } from '../api/invent-members.ts';
import { addETag } from './add-etag.ts';
import type { Context } from './context.ts';

const PAGE = '<!doctype html>\n<title>404 Not Found</title>\n<h1>404 Not Found</h1>\n';
const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

/** Changes the headers and the Error of a reply as the behaviour of the session requires. */
export function dressReply(context: Context, reply: Reply): Reply {
  const { session, operation } = context;
  const { behaviour } = session;
  if (behaviour === defaultBehaviour) return reply;
  if (behaviour.unknownPaths === 'html' && operation === undefined && reply.error?.code === 'not_found') {
    session.noteActed('unknownPaths');
    return { ...createReply(404, PAGE, HTML), error: reply.error };
  }
  const { status, headers: given, body, error } = dressError(reply, context);
  const headers = { ...given };
  if (behaviour.challenge === 'absent' && headers['WWW-Authenticate'] !== undefined) {
    session.noteActed('challenge');
    delete headers['WWW-Authenticate'];
  }
  if (behaviour.allow === 'absent' && headers.Allow !== undefined) {
    session.noteActed('allow');
    delete headers.Allow;
  }
  if (behaviour.charset === 'utf-8' && headers['Content-Type'] === 'application/json') {
    session.noteActed('charset');
    headers['Content-Type'] = 'application/json; charset=utf-8';
  }
  return addETag(context, { status, headers, body, ...(error && { error }) });
}

function dressError(reply: Reply, context: Context): Reply {
  const { session: source } = context;
  const { errorCodes, errorMembers } = source.behaviour;
  const { status, headers, error } = reply;
  if (error === undefined || (errorCodes === 'snake' && errorMembers === 'none')) return reply;
  const { message, hint, kind } = error;
  const code = chooseCode(errorCodes, { code: error.code, status, kind });
  if (code !== error.code) source.noteActed('errorCodes');
  if (errorMembers !== 'none') source.noteActed('errorMembers');
  const more = inventErrorMembers(errorMembers, status, context);
  const { 'Content-Length': _, ...others } = headers;
  const body = printExactJson({ code, message, status: BigInt(status), ...more });
  return { ...createReply(status, body, others), error: { code, message, hint, kind } };
}

function inventErrorMembers(
  members: Behaviour['errorMembers'],
  status: number,
  { session, basePath }: Context,
): JsonObject {
  if (members === 'none') return {};
  if (members === 'some') return { details: [], traceId: crypto.randomUUID() };
  return inventMembers(members, { number: BigInt(status), time: session.now(), path: basePath });
}
