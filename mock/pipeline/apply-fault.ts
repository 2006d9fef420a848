import { errorStatuses } from '../../common/http/errors.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { isDelay } from '../session/delay.ts';
import type { FaultEnd } from '../session/fault-options.ts';
import type { Context, Outcome, Step } from './context.ts';

/** Source: RFC 9110 section 10.2.3; RFC 6585 section 4 */
const headersOf: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'Www-Authenticate': 'Bearer' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '1' },
};

const usualStatuses: Readonly<Record<string, number>> = { createPet: 201, createMessage: 202 };

/** Delays and ends requests, by the faults of their session and by their own header Prefer. */
export const applyFault: Step = (context) => {
  const { faults } = context.session;
  const { prefer } = context.headers;
  if (!faults.isActive && prefer === undefined) return undefined;
  const { applied, ...preferred } = readPrefer(prefer);
  context.preferenceApplied = applied;
  const { delay, delayedBy, end, endedBy } = faults.choose(context, preferred);
  if (delay === 0) return end && endRequest(context, end, endedBy);
  const { over, stop } = faults.hold(delay, delayedBy);
  context.onClose(stop);
  return over.then(() => (context.isAborted ? 'drop' : end && endRequest(context, end, endedBy)));
};

async function endRequest(context: Context, end: FaultEnd, faultId: number | undefined): Promise<Outcome> {
  // For the journal.
  await context.readBody().catch(() => {});
  if (end.drop) return 'drop';
  const { status = usualStatuses[context.operation ?? ''] ?? 200, body } = end;
  const own = toUsualNames(end.headers);
  const headers = { ...headersOf[status], ...own, ...(faultId && { 'X-Fault': faultId }) };
  if (body === undefined) {
    const fault = faultId === undefined ? '' : ` (fault ${faultId})`;
    const { message = `Simulated failure${fault}: ${status}` } = end;
    const [code = 'fault'] = Object.entries(errorStatuses).find(([, known]) => known === status) ?? [];
    const reply = createReply(status, JSON.stringify({ code, message, status }), headers);
    return { ...reply, error: { code, message } };
  }
  // Source: RFC 9110 section 6.4.1
  if (status === 204 || status === 304) return { status, headers, body: '' };
  return createReply(status, typeof body === 'string' ? body : printExactJson(body as ExactJson), headers);
}

/** Spells names as in `Retry-After`, so that headers of a fault override the usual ones. */
function toUsualNames(headers: Reply['headers'] = {}): Reply['headers'] {
  const spell = (name: string) =>
    name.toLowerCase().replaceAll(/(?<![^-])[a-z]/g, (char) => char.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [spell(name), value]));
}

/**
 * Reads `Prefer: code=500, delay=2000`. Unknown preferences, and values that cannot be met, are ignored. `applied` is the value
 * of Preference-Applied. Source: RFC 7240 section 2
 */
function readPrefer(header = '') {
  const code = /(?:^|,)\s*code\s*=\s*"?([45]\d\d)"?\s*(?:[,;]|$)/i.exec(header)?.[1];
  const given = /(?:^|,)\s*delay\s*=\s*"?([\d-]+)"?\s*(?:[,;]|$)/i.exec(header)?.[1];
  const delay = isDelay(given) ? given : undefined;
  const applied = [code && `code=${code}`, delay && `delay=${delay}`].filter(Boolean).join(', ');
  return { status: code === undefined ? undefined : Number(code), delay, applied: applied || undefined };
}
