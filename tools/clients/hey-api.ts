import { type Client, createClient } from './generated/hey-api/client';
import { printInt64, readInt64 } from './int64';

/** Puts the ids into quotes: the client's own transformers make bigints of them. */
const fetchQuoted: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (!response.ok) return response;
  const exact = JSON.parse(await response.text(), readInt64);
  const text = JSON.stringify(exact, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  return new Response(text, response);
};

/** Creates a client whose ids are bigints, in both directions. */
export function createInt64Client(baseUrl: string, key: string): Client {
  return createClient({ baseUrl, auth: key, fetch: fetchQuoted, bodySerializer: printInt64 });
}
