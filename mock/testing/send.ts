import supertest, { type Response } from 'supertest';
import type { HttpRequest } from './http-case.ts';

/** Makes a request; `url` is the mock's base URL. */
export async function send(url: string, { method, path, headers, body }: HttpRequest): Promise<Response> {
  const agent = supertest(new URL(url).origin) as unknown as Record<string, (path: string) => supertest.Test>;
  const request = agent[method.toLowerCase()]?.(path);
  if (request === undefined) throw new Error(`supertest knows no method ${method}.`);
  const all = { Authorization: 'Bearer test-key', ...headers };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) request.set(name, value);
  // A body goes out as its bytes: superagent would print strings of a JSON type anew.
  return body === undefined ? request : request.serialize((bytes) => bytes).send(Buffer.from(body));
}
