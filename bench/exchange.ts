import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request to measure with. */
export interface Exchange {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response, as the bare server repeats it. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that Node writes by itself. */
const NODE_HEADERS = /^(date|connection|keep-alive)$/i;

/** Makes one request; `url` is the base URL. */
export async function exchangeOnce(
  url: string,
  { method, path, headers, body }: Exchange,
): Promise<Response> {
  const outgoing = request(`${url}${path}`, { method, headers, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const answer = await text(response);
  const pairs = Array.from({ length: response.rawHeaders.length / 2 }, (_, index) =>
    response.rawHeaders.slice(index * 2, index * 2 + 2),
  );
  const own = pairs.filter(([name]) => !NODE_HEADERS.test(name));
  return { status: response.statusCode, headers: Object.fromEntries(own), body: answer };
}
