import fc from 'fast-check';
import { type MalformedRequest, malformedRequest } from './malformed-request.ts';
import { type Outcome, sendRaw } from './send-raw.ts';

/** A server that is sent malformed requests. */
export interface FuzzTarget {
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

const REFUSED = 'no connection';

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
      const { answer, problem } = await tryRequest(target, request);
      if (answer !== REFUSED) recent = [request, ...recent.slice(0, 2)];
      for (const name of end < Number.POSITIVE_INFINITY ? [] : [`(all to the ${target.name})`, request.kind])
        answers[name] = { ...answers[name], [answer]: (answers[name]?.[answer] ?? 0) + 1 };
      if (problem === undefined) return;
      end = Math.min(end, performance.now() + SHRINKING);
      throw new Error(problem);
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

/** @returns the status of the first answer, or why it has none; and the problem, if any. */
async function tryRequest({ name, url }: FuzzTarget, request: MalformedRequest) {
  const expected = request.isOwed ? request[name] : undefined;
  try {
    const outcome = await sendRaw(url, { ...request, expected, lifetime: request.isOwed ? OWED : UNOWED });
    const answer = String(outcome.answers[0]?.status ?? 'no answer');
    return { answer, problem: findProblem(outcome, request, expected) };
  } catch (error) {
    return { answer: REFUSED, problem: String(error) };
  }
}

function findProblem(outcome: Outcome, { bytes, isOwed }: MalformedRequest, expected?: string) {
  const { answers, rest, printed, isCut } = outcome;
  if (!(isCut ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8))) return `not valid HTTP: ${rest}`;
  for (const { status, headers, body } of answers) {
    if (status >= 500) return `the status ${status}, ${body}`;
    const isAnswerToHead = body === '' && bytes.includes('HEAD ');
    const isError = /^content-type: application\/json\r/im.test(headers) && isErrorBody(body, status);
    if (status >= 400 && !isError && !isAnswerToHead) return `the status ${status} without an Error body`;
  }
  if (isOwed && answers.length === 0) return 'no answer';
  return expected === undefined || printed === expected ? undefined : `${printed} instead of ${expected}`;
}

/** Source: openapi.yaml#/components/schemas/Error */
function isErrorBody(body: string, expected: number): boolean {
  try {
    const { code, message, status } = JSON.parse(Buffer.from(body, 'latin1').toString());
    return typeof code === 'string' && typeof message === 'string' && status === expected;
  } catch {
    return false;
  }
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
