import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './generated/openapi-fetch/animal-store';
import { printInt64, readInt64 } from './int64';

/** Parses every animal by `readInt64`. */
const exactIds: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) return undefined;
    const text = await response.text();
    const exact = new Response(text, response);
    // Without a length openapi-fetch would parse the text by itself.
    exact.headers.set('Content-Length', `${new Blob([text]).size}`);
    exact.json = async () => JSON.parse(text, readInt64);
    return exact;
  },
};

/** Creates a client whose ids are bigints, in both directions. */
export function createInt64Client(baseUrl: string, key: string) {
  const headers = { Authorization: `Bearer ${key}` };
  const client = createClient<paths>({ baseUrl, headers, bodySerializer: printInt64 });
  client.use(exactIds);
  return client;
}
