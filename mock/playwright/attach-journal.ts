import type { TestInfo } from '@playwright/test';
import { SESSION_HEADER } from '../../common/http/session-names.ts';
import type { JournalEntry } from '../../common/journal/journal-entry.ts';
import { type JournalViolation, printMessage } from '../../common/journal/violation.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { printDuration } from '../../common/text/print-duration.ts';
import type { RemoteSession } from '../client/connect-mock.ts';

const MOST_ATTACHED = 200;

/**
 * Attaches the requests of a session, which the mock has redacted, and their violations to a test that did not end as expected: as
 * text, and as JSON.
 * @param findSentTo returns the origins whose requests get the header. @param ownUrl of a mock that the worker has started itself
 */
export async function attachJournal(
  session: RemoteSession,
  findSentTo: () => Promise<ReadonlySet<string>>,
  testInfo: TestInfo,
  ownUrl?: string,
): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  const requests = await session.requests({ limit: MOST_ATTACHED });
  const hasProxy = (await session.checkedUrl()) !== undefined;
  const violations = hasProxy ? await session.violations() : [];
  const lines = requests.map((request) => printRequest(request, violations));
  const text = requests.length === 0 ? describeNone(session, await findSentTo(), ownUrl) : lines.join('');
  await testInfo.attach('requests of the mock', { body: text, contentType: 'text/plain' });
  const body = printExactJson({ requests, violations } as unknown as ExactJson, 2);
  await testInfo.attach('requests of the mock as JSON', { body, contentType: 'application/json' });
}

/** @param sentTo the origins whose requests get the header. @param ownUrl of a mock that the worker has started itself */
function describeNone({ headers }: RemoteSession, sentTo: ReadonlySet<string>, ownUrl?: string): string {
  const named = `${SESSION_HEADER}: ${headers[SESSION_HEADER]}`;
  const own = ownUrl && `Without mockUrl, this worker has started a mock of its own: ${ownUrl}\n`;
  // The list reporter of Playwright shows the first 300 characters.
  return `No request with the header ${named} reached the mock.
${own ?? ''}If your server renders, forward the header. End a page.route with route.fallback(). Give mock.headers to request and to
your own contexts. The page sends it only to ${[...sentTo].join(', ')}: call these origins, or add yours to mockOrigins.
Only the log of the mock has the requests that name two sessions, or a name that no session can have, which the mock refuses with 400.\n`;
}

function printRequest(request: JournalEntry, violations: readonly JournalViolation[]): string {
  const { id, method, url, status, ms, error, hint } = request;
  const duration = ms === undefined ? 'waiting' : printDuration(ms);
  const notes = [error, hint].flatMap((note) => note ?? []);
  const line = [method, url, status ?? '-', duration, ...notes].join(' ');
  const found = violations.filter((violation) => violation.request === id);
  return [line, ...found.map((one) => `  ${one.place} ${one.rule}: ${printMessage(one)}`), ''].join('\n');
}
