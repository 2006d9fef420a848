import type { Request, Response } from 'express';
import { findOperation } from '../../common/control/find-operation.ts';
import { errorStatuses } from '../../common/errors.ts';
import { createReply, type Reply } from '../../common/reply.ts';
import type { FaultSource, Outcome } from '../control/create-faults.ts';
import type { BrokenBody, Drop } from '../control/endings.ts';
import type { WriteReply } from './create-writers.ts';
import { readBody } from './read-body.ts';

/** What no parser of HTTP can read. */
const garbage = '\x16\x03\x01lskdu018973t09sylgasjkfg1][]"./.sdlv';

/** What a status comes with, beside its Error. Source: RFC 9110 section 10.2.3; RFC 6585 section 4 */
const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '1' },
};

/** How a request may go on. */
interface FaultEnds {
  readonly writeReply: WriteReply;
  /** Told of a request that ends without an answer. */
  readonly onAnswer: ((response: Response) => void) | undefined;
  readonly goOn: () => void;
  /** Headers of every response. */
  readonly usualHeaders: Reply['headers'];
  readonly hold: FaultSource['hold'];
}

/** Does with a request what was decided, and goes on with it unless that has ended it. */
export function applyFault(
  { delay, delayFaultId, status, drop, body, applied, faultId }: Outcome,
  request: Request,
  response: Response,
  { writeReply, onAnswer, goOn, usualHeaders, hold }: FaultEnds,
): void {
  if (applied !== undefined) response.setHeader('Preference-Applied', applied);
  const act = () => {
    // The client may have left during the delay.
    if (response.destroyed || request.socket.destroyed) onAnswer?.(response);
    else if (drop === undefined && status === undefined && body === undefined) goOn();
    else {
      // Whoever looks at the journal wants to see what was sent.
      readBody(request, response, () => {
        if (drop !== undefined) {
          breakOff(drop, response, usualHeaders);
          onAnswer?.(response);
          return;
        }
        // For who looks at the answer, and for the checked proxy.
        if (faultId !== undefined) response.setHeader('X-Fault', faultId);
        if (body !== undefined) writeReply(response, createBrokenReply(body, request, status));
        else if (status !== undefined) writeFault(status, response, writeReply);
      });
    }
  };
  if (delay > 0) response.once('close', hold(delay, act, delayFaultId));
  else act();
}

function writeFault(status: number, response: Response, writeReply: WriteReply): void {
  const [code = 'fault'] = Object.entries(errorStatuses).find(([, one]) => one === status) ?? [];
  const message = `The mock was told to answer this request with ${status}.`;
  response.locals.errorCode = code;
  response.locals.errorMessage = message;
  writeReply(response, createReply(status, JSON.stringify({ code, message, status }), headersOf[status]));
}

/** What a Pet of a broken body looks like; `HTML` is what a gateway in front of a service answers. */
const bodies: Readonly<Record<BrokenBody, string>> = {
  PET_WITHOUT_NAME: '{"id":1,"categoryId":1,"status":"available"}',
  UNKNOWN_STATUS: '{"id":1,"name":"Rex","categoryId":1,"status":"lost"}',
  HTML: '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>',
  TRUNCATED_JSON: '{"id":1,"name":"Re',
  EMPTY_BODY: '',
};

function createBrokenReply(kind: BrokenBody, { method, path }: Request, status?: number): Reply {
  const operation = findOperation(method, path);
  const usual = { createPet: 201, createMessage: 202, listPets: 200, getPet: 200 };
  const isList = operation === 'listPets' && bodies[kind].startsWith('{');
  const end = kind === 'TRUNCATED_JSON' ? '' : ']';
  const body = isList ? `[${bodies[kind]}${end}` : bodies[kind];
  const headers: Reply['headers'] = kind === 'HTML' ? { 'Content-Type': 'text/html; charset=utf-8' } : {};
  return createReply(status ?? (operation === undefined ? 200 : usual[operation]), body, headers);
}

/** Breaks the connection, once the answers to earlier requests on it are out. */
function breakOff(drop: Drop, response: Response, usualHeaders: Reply['headers']): void {
  response.locals.drop = drop;
  if (response.socket === null) {
    response.once('socket', () => breakOff(drop, response, usualHeaders));
    return;
  }
  const { socket } = response;
  if (drop === 'CONNECTION_RESET_BY_PEER') socket.resetAndDestroy();
  else if (drop === 'EMPTY_RESPONSE') socket.destroy();
  else {
    const chunked = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const headers = Object.entries({ ...usualHeaders, ...chunked }).map((header) => header.join(': '));
    const head = ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n');
    socket.write(drop === 'MALFORMED_RESPONSE_CHUNK' ? head + garbage : garbage, 'latin1');
    socket.destroySoon();
  }
}
