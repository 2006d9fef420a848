import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';
import * as v from 'valibot';
import { readMembers } from '../read-members.ts';
import type { Schema } from '../schema.ts';
import { mustBe } from '../schemas.ts';
import { invalidRequest } from './api-error.ts';

/** A request that the console has edited. */
export interface NewRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** True for the checked proxy of a mock. */
  readonly isChecked?: boolean | undefined;
}

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

/** Reads a request that the console sends. @throws ApiError `invalid_request`, naming what is wrong */
export function readNewRequest(given: unknown): NewRequest {
  return readMembers('The request', given, members) as NewRequest;
}

/** Returns the origin at which the server of a request listens. */
export function readOwnOrigin({ socket }: http.IncomingMessage): string {
  const { localAddress = '', localPort } = socket;
  const scheme = socket instanceof TLSSocket ? 'https' : 'http';
  return `${scheme}://${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * Sends a request to a server of this process, and does not wait for the response, because a fault may hold it.
 * @throws ApiError `invalid_request` for what HTTP does not allow, and if nothing listens there
 */
export function sendRequest(origin: string, request: NewRequest): Promise<void> {
  const { method, url, headers = {}, body } = request;
  const { protocol, hostname, port } = new URL(origin);
  const create = protocol === 'https:' ? https.request : http.request;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  // Its certificate may be for another name.
  const target = {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    agent: false,
    rejectUnauthorized: false,
  };
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
