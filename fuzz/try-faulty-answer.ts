import { strict as assert } from 'node:assert';
import { type IncomingMessage, request as send } from 'node:http';
import fc from 'fast-check';
import { animal } from '../bench/print-request.ts';
import { faultyAnswer, isLate } from './faulty-answer.ts';
import { quote, type Trial } from './run-fuzz.ts';
import { printScript, type ScriptedAnswer } from './scripted-upstream.ts';

/** How long the proxy waits for the upstream, and a client for either, in milliseconds. */
export const UPSTREAM_TIMEOUT = 10_000;
const PATIENCE = 40_000;

/** What a client made of an answer; in its body each character stands for a byte. */
interface Received {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether all of it came. */
  readonly isWhole: boolean;
}

/** What no reason phrase may hold. */
const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;

/** What may be another one behind a proxy, or is its own. */
const HOP =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|sl-violations|content-length)$/;

/**
 * Trials of a proxy before an upstream that answers as the request says. Whoever asks the upstream itself must get the same
 * answer as who asks the proxy; where it gets none that is whole, the proxy's answer is a 502 or 504 of its own, or breaks off too.
 */
export function faultyAnswerTrials(upstream: string): fc.Arbitrary<Trial> {
  return fc
    .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'), faultyAnswer)
    .map(([picked, chosen]) => {
      // To HEAD half of an answer may be all of it.
      const method = isLate(chosen) ? 'GET' : picked;
      // The body that follows an answer to HEAD would be in the next answer of that connection.
      const isLast = method === 'HEAD' && chosen.ending === 'keep';
      const answer: ScriptedAnswer = isLast ? { ...chosen, ending: 'end' } : chosen;
      const run = async (url: string) => {
        const asked = [receive(url, method, answer, 65_536)];
        if (!isLate(answer)) asked.push(receive(upstream, method, answer));
        const [carried, direct] = await Promise.all(asked);
        return String(expectSame(carried, direct, answer).status);
      };
      return { kind: `answer: ${answer.kind}`, describe: () => describe(method, answer), run };
    });
}

/** @throws AssertionError */
function expectSame(
  carried: Received | undefined,
  direct: Received | undefined,
  answer: ScriptedAnswer,
): Received {
  assert(carried !== undefined, 'no answer');
  const { status, reason, body, isWhole } = carried;
  // What a reset overtakes is lost or not.
  if (answer.ending === 'resetAndDestroy') return carried;
  const isLawful = direct?.isWhole && /^[2-5]\d\d$/.test(`${direct.status}`) && !CONTROL.test(direct.reason);
  if (isLawful) {
    const { status: itsStatus, reason: itsReason, body: itsBody } = direct;
    assert.deepEqual([status, reason, body.length, isWhole], [itsStatus, itsReason, itsBody.length, true]);
    assert.equal(body, itsBody);
    assert.deepEqual(endToEnd(carried), endToEnd(direct));
  } else if (isWhole && body !== '') {
    assert.match(`${status} ${body}`, /^(?:502 .*"code":"upstream_failed"|504 .*"code":"upstream_timeout")/);
  } else if (isWhole) assert(status === 502 || status === 504, `the status ${status} with no body`);
  return carried;
}

function endToEnd({ headers }: Received): string[] {
  const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : []));
  const named = pairs
    .filter(([name]) => /^connection$/i.test(name as string))
    .flatMap(([, value]) => value?.split(','));
  const gone = named.map((name) => name?.trim().toLowerCase());
  const kept = pairs.filter(
    ([name = '']) => !HOP.test(name.toLowerCase()) && !gone.includes(name.toLowerCase()),
  );
  return kept.flat() as string[];
}

/** @returns undefined when there is no head of an answer in time. */
function receive(
  url: string,
  method: string,
  answer: ScriptedAnswer,
  maxHeaderSize?: number,
): Promise<Received | undefined> {
  return new Promise((resolve) => {
    const [name, value] = printScript(answer);
    // What is too much of an answer would be in the next one of that connection; one with a body has its own.
    const isAlone = answer.ending !== 'keep' && answer.parts.length > 0;
    const body = method === 'POST' || isAlone ? animal : '';
    const headers = { Authorization: 'Bearer test-key', [name]: value };
    const framing = body !== '' ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {};
    const options = { method, agent: false, headers: { ...headers, ...framing }, maxHeaderSize };
    let isAnswered = false;
    const outgoing = send(`${url}/pets`, options, (incoming) => {
      isAnswered = true;
      let read = '';
      const finish = () => resolve(toReceived(incoming, read));
      incoming.setEncoding('latin1').on('data', (part) => {
        read += part;
      });
      incoming.on('end', finish).on('error', finish).on('close', finish);
    });
    const timer = setTimeout(() => outgoing.destroy(), PATIENCE);
    outgoing
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer);
        // With an answer it is for that to end.
        if (!isAnswered) resolve(undefined);
      });
    outgoing.end(body);
  });
}

function toReceived(
  { statusCode = 0, statusMessage = '', rawHeaders, complete }: IncomingMessage,
  body: string,
): Received {
  return { status: statusCode, reason: statusMessage, headers: rawHeaders, body, isWhole: complete };
}

function describe(method: string, { kind, parts, pause, ending }: ScriptedAnswer): string {
  const printed = parts.map(([bytes, times]) => `${times === 1 ? '' : `${times} times `}'${quote(bytes)}'`);
  return `${method}, answered with ${kind} (${pause} ms between, then ${ending}): ${printed.join(' ')}`;
}
