import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';
import * as v from 'valibot';
import { readMembers } from '../read-members.ts';
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

const URL_PATTERN = /^\/[\x21-\x7e]*$/;
const url = v.pipe(v.string(mustBe('a string')), v.regex(URL_PATTERN, mustBe('a path such as /v1/pets')));
const string = v.string(mustBe('a string'));
const schemas = {
  method: string,
  url,
  headers: v.optional(v.record(v.string(), string, mustBe('an object of strings'))),
  body: v.optional(string),
  isChecked: v.optional(v.boolean(mustBe('true or false'))),
};

/** Reads a request that the console sends. @throws ApiError `invalid_request`, naming what is wrong */
export function readNewRequest(given: unknown): NewRequest {
  return readMembers('The request', given, schemas) as NewRequest;
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
