import * as http from 'node:http';
import * as https from 'node:https';
import { TLSSocket } from 'node:tls';
import * as v from 'valibot';
import { readMembers } from '../read-members.ts';
import type { Schema } from '../schema.ts';
import { type GivenMembers, mustBe } from '../schemas.ts';
import { invalidRequest } from './api-error.ts';

const string = v.string(mustBe('a string'));
const members = {
  method: v.pipe(string, v.description('Method.')),
  url: v.pipe(
    string,
    v.regex(/^\/[\x21-\x7e]*$/, mustBe('a path such as /v1/pets')),
    v.description('Path and query. In a session the path starts after the name of the session.'),
  ),
  headers: v.optional(
    v.pipe(
      v.record(v.string(), string, mustBe('an object of strings')),
      v.description('Headers by name. Host and Content-Length are added.'),
    ),
  ),
  body: v.optional(v.pipe(string, v.description('Body as text, sent byte by byte.'))),
  isChecked: v.optional(
    v.pipe(v.boolean(mustBe('true or false')), v.description('True sends the request to the checked proxy.')),
  ),
};

export const newRequest: Schema = v.pipe(
  v.object(members),
  v.title('NewRequest'),
  v.description('A request to send.'),
);

/** A request that the console sends. */
export type NewRequest = GivenMembers<typeof members>;

/** @throws ApiError `invalid_request`, naming what is wrong */
export function readNewRequest(given: unknown): NewRequest {
  return readMembers('The request', given, members);
}

/**
 * Sends a request to the server that received another one, and does not wait for the response, because a fault may hold it.
 * @param port of another server at the same address
 * @throws ApiError `invalid_request` for what HTTP does not allow, and if nothing listens there
 */
export function sendRequest({ socket }: http.IncomingMessage, request: NewRequest, port = socket.localPort) {
  const { method, url, headers = {}, body } = request;
  const create = socket instanceof TLSSocket ? https.request : http.request;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  // Its certificate may be for another name.
  const target = { hostname: socket.localAddress, port, agent: false, rejectUnauthorized: false };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (error: Error) => reject(invalidRequest(`The request cannot be sent: ${error.message}.`));
  try {
    const sent = create({ ...target, method, path: url, headers: { ...headers, ...length } });
    sent.on('response', (response) => response.on('error', () => {}).resume());
    sent.on('finish', resolve).on('error', fail).on('close', resolve);
    sent.end(body);
  } catch (error) {
    fail(error as Error);
  }
  return promise;
}
