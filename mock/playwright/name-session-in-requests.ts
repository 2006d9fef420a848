import type { BrowserContext } from '@playwright/test';
import { SESSION_HEADER } from '../../common/http/session-names.ts';
import type { RemoteSession } from '../client/connect-mock.ts';

/**
 * Adds the headers of a session to each request of a browser context to these origins, where a proxy cannot: in HTTPS, and next to
 * another proxy. Playwright then answers every preflight itself, uses no cache, and repeats the headers after a redirect.
 */
export async function nameSessionInRequests(
  context: BrowserContext,
  { headers }: RemoteSession,
  origins: ReadonlySet<string>,
): Promise<void> {
  const { [SESSION_HEADER]: name = '' } = headers;
  const isOurs = ({ origin }: URL) => origins.has(origin);
  await context.route(isOurs, async (route, request) => {
    const sent = request.headers();
    // Handlers of the test that were added to the context before come next.
    await route.fallback({ headers: { ...sent, [SESSION_HEADER.toLowerCase()]: name } });
  });
}
