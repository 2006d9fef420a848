import fc from 'fast-check';
import { type MalformedRequest, malformedRequest } from './malformed-request.ts';
import { countAwaited, type Outcome, printOutcome, sendRaw } from './send-raw.ts';

/** A server that is sent malformed requests. */
export interface FuzzTarget {
  readonly name: 'mock' | 'proxy';
  /** Its base URL. */
  readonly url: string;
  isAlive(): boolean;
}

/** What came of one request. */
export interface Tried {
  readonly target: string;
  readonly kind: string;
  /** The status of the first answer, or why it has none. */
  readonly answer: string;
}

/** How many connections there are at once. */
const CONNECTIONS = 32;

/** How long a connection may last, in milliseconds: where nothing is owed, and where an answer is. */
const LIFETIMES = { unowed: 500, owed: 5_000 };

/** How long to look for a smaller request that fails too, in milliseconds. */
const SHRINKING = 10_000;

const REFUSED = 'no connection';

/**
 * Sends malformed requests on some connections at once, each of which stops at its first problem.
 *
 * @param seed the same seed makes the same requests.
 * @returns the problems, each with a command that sends the request again, and what came of all requests.
 */
export async function runFuzz(targets: readonly FuzzTarget[], seed: number, count: number) {
  const problems = new Set<string>();
  const tried: Tried[] = [];
  const work = async (target: FuzzTarget, lane: number) => {
    // A server that ends takes a moment, in which more requests are sent.
    let recent: MalformedRequest[] = [];
    let end = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(malformedRequest, async (request) => {
      if (performance.now() > end || !target.isAlive()) return;
      const { answer, problem } = await tryRequest(target, request);
      if (answer !== REFUSED) recent = [request, ...recent.slice(0, 2)];
      if (end === Number.POSITIVE_INFINITY) tried.push({ target: target.name, kind: request.kind, answer });
      if (problem === undefined) return;
      end = Math.min(end, performance.now() + SHRINKING);
      throw new Error(problem);
    });
    const parameters = { seed: seed * CONNECTIONS + lane, numRuns: Math.ceil((count - lane) / CONNECTIONS) };
    const { counterexample, errorInstance } = await fc.check(property, parameters);
    if (!target.isAlive())
      for (const request of recent) problems.add(describe(target, request, 'it has ended'));
    else if (counterexample)
      problems.add(describe(target, counterexample[0], (errorInstance as Error).message));
  };
  const lanes = Array.from({ length: Math.min(CONNECTIONS, count) }, (_, lane) => lane);
  await Promise.all(lanes.map((lane) => work(targets[lane % targets.length] as FuzzTarget, lane)));
  return { problems: [...problems], tried };
}

async function tryRequest({ name, url }: FuzzTarget, request: MalformedRequest) {
  const expected = request.isOwed ? request.answers?.[name] : undefined;
  const lifetime = LIFETIMES[request.isOwed ? 'owed' : 'unowed'];
  try {
    const outcome = await sendRaw(url, { ...request, awaited: countAwaited(expected), lifetime });
    const answer = String(outcome.answers[0]?.status ?? 'no answer');
    return { answer, problem: findProblem(outcome, request, expected) };
  } catch (error) {
    return { answer: REFUSED, problem: String(error) };
  }
}

function findProblem(outcome: Outcome, { bytes, isOwed }: MalformedRequest, expected?: string) {
  const { answers, rest, ended } = outcome;
  if (!(ended === 'cut' ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8))) return `not valid HTTP: ${rest}`;
  for (const { status, body, isError } of answers) {
    if (status >= 500) return `the status ${status}, ${body}`;
    const isAnswerToHead = body === '' && bytes.includes('HEAD ');
    if (status >= 400 && !isError && !isAnswerToHead) return `the status ${status} without an Error body`;
  }
  if (isOwed && answers.length === 0) return 'no answer';
  const actual = printOutcome(outcome);
  return expected === undefined || actual === expected ? undefined : `${actual} instead of ${expected}`;
}

function describe({ name, url }: FuzzTarget, { kind, ending, bytes }: MalformedRequest, problem: string) {
  const { hostname, port } = new URL(url);
  return `the ${name}, ${kind} (${ending}): ${problem}.\n  printf '${quote(bytes)}' | nc ${hostname} ${port}`;
}

/** Prints bytes as a format of printf between single quotes. */
function quote(bytes: string): string {
  const named: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '%': '%%' };
  const toOctal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return bytes.replaceAll(/[^ -~]|['\\%]/g, (byte) => named[byte] ?? toOctal(byte));
}
