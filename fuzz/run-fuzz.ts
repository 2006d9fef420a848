import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { type Outcome, sendRaw } from '../bench/send-raw.ts';
import { type MalformedRequest, malformedRequest } from './malformed-request.ts';

/** A server that is sent malformed requests. */
interface FuzzTarget {
  readonly name: 'mock' | 'proxy';
  /** Its base URL. */
  readonly url: string;
  isAlive(): boolean;
}

/** How many connections there are at once. */
const CONNECTIONS = 32;

/** How long a connection may last, in milliseconds: where an answer is owed, and where none is. */
const [OWED, UNOWED] = [5_000, 500];

/** How long to look for a smaller request that fails too, in milliseconds. */
const SHRINKING = 10_000;

/**
 * Sends malformed requests on some connections at once, each of which stops at its first problem.
 *
 * @param seed the same seed makes the same requests.
 * @returns the problems, each with a command that sends the request again, and how often each answer came by target and
 * by kind of request.
 */
export async function runFuzz(targets: readonly FuzzTarget[], seed: number, count: number) {
  const problems: string[] = [];
  const answers: Record<string, Record<string, number>> = {};
  const work = async (target: FuzzTarget, lane: number) => {
    // A server that ends takes a moment, in which more requests are sent.
    let recent: MalformedRequest[] = [];
    let end = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(malformedRequest, async (request) => {
      if (performance.now() > end || !target.isAlive()) return;
      const names = end === Number.POSITIVE_INFINITY ? [`(all to the ${target.name})`, request.kind] : [];
      const expected = request.isOwed ? request[target.name] : undefined;
      const lifetime = request.isOwed ? OWED : UNOWED;
      let answer = 'no connection';
      try {
        const outcome = await sendRaw(target.url, { ...request, expected, lifetime });
        recent = [request, ...recent.slice(0, 2)];
        answer = String(outcome.answers[0]?.status ?? 'no answer');
        expectOutcome(outcome, request, expected);
      } catch (error) {
        end = Math.min(end, performance.now() + SHRINKING);
        throw error;
      } finally {
        for (const name of names)
          answers[name] = { ...answers[name], [answer]: (answers[name]?.[answer] ?? 0) + 1 };
      }
    });
    const parameters = { seed: seed * CONNECTIONS + lane, numRuns: Math.ceil((count - lane) / CONNECTIONS) };
    const { counterexample, errorInstance } = await fc.check(property, parameters);
    if (!target.isAlive())
      problems.push(...recent.map((request) => describe(target, request, 'it has ended')));
    else if (counterexample)
      problems.push(describe(target, counterexample[0], (errorInstance as Error).message));
  };
  const lanes = Array.from({ length: Math.min(CONNECTIONS, count) }, (_, lane) => lane);
  await Promise.all(lanes.map((lane) => work(targets[lane % targets.length] as FuzzTarget, lane)));
  return { problems, answers };
}

/** @throws Error for what no server may do, and for any other outcome than is expected, if one is. */
function expectOutcome(outcome: Outcome, { bytes, isOwed }: MalformedRequest, expected?: string): void {
  const { answers, rest, printed, isCut } = outcome;
  assert((isCut ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8)), `not valid HTTP: ${rest}`);
  for (const { status, headers, body } of answers) {
    assert(status < 500, `the status ${status}, ${body}`);
    if (status < 400 || (body === '' && bytes.includes('HEAD '))) continue;
    assert.match(headers, /^content-type: application\/json\r/im);
    const { code, message, status: repeated } = JSON.parse(Buffer.from(body, 'latin1').toString());
    assert.deepEqual([typeof code, typeof message, repeated], ['string', 'string', status]);
  }
  assert(!isOwed || answers.length > 0, 'no answer');
  assert.equal(printed, expected ?? printed);
}

function describe({ name, url }: FuzzTarget, { kind, ending, bytes }: MalformedRequest, problem: string) {
  const { hostname, port } = new URL(url);
  return `the ${name}, ${kind} (${ending}): ${problem}.\n  printf '%b' '${quote(bytes)}' | nc ${hostname} ${port}`;
}

/** Prints bytes as an argument of printf between single quotes. */
function quote(bytes: string): string {
  const toOctal = (byte: string) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return bytes.replaceAll(/[^ -~]|['\\]/g, toOctal);
}
