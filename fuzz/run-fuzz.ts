import fc from 'fast-check';
import { type MalformedRequest, malformedRequest } from './malformed-request.ts';
import { type Answer, isError } from './read-answers.ts';
import { type Outcome, printOutcome, sendRaw } from './send-raw.ts';

/** A server that is sent malformed requests. */
export interface FuzzTarget {
  readonly name: 'mock' | 'proxy';
  /** Its base URL. */
  readonly url: string;
  isAlive(): boolean;
}

/** A run; the same seed and count send the same requests. */
export interface FuzzOptions {
  readonly targets: readonly FuzzTarget[];
  readonly count: number;
  readonly seed: number;
}

/** What came of a run. */
export interface FuzzReport {
  /** Each with a command that sends the request again. */
  readonly problems: readonly string[];
  /** The answers of each server and to each kind of request, as a Markdown table. */
  readonly table: string;
}

/** What came of one request. */
interface Seen {
  readonly target: string;
  readonly kind: string;
  readonly answer: string;
}

/** How many connections there are at once. */
const CONNECTIONS = 32;

/** How long a connection may last, in milliseconds: where nothing is owed, and where an answer is. */
const LIFETIMES = { unowed: 500, owed: 5_000 };

/** How long to look for a smaller request that fails too, in milliseconds. */
const SHRINKING = 10_000;

/** Sends malformed requests on some connections at once, each of which stops at its first problem. */
export async function runFuzz({ targets, count, seed }: FuzzOptions): Promise<FuzzReport> {
  const problems: string[] = [];
  const seen: Seen[] = [];
  const work = async (target: FuzzTarget, lane: number) => {
    let latest: MalformedRequest | undefined;
    let end = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(malformedRequest, async (request) => {
      if (performance.now() > end || !target.isAlive()) return;
      latest = request;
      const { answer, problem } = await tryRequest(target, request);
      if (end === Number.POSITIVE_INFINITY) seen.push({ target: target.name, kind: request.kind, answer });
      if (problem === undefined) return;
      end = Math.min(end, performance.now() + SHRINKING);
      throw new Error(problem);
    });
    const numRuns = Math.ceil((count - lane) / CONNECTIONS);
    const { counterexample, errorInstance } = await fc.check(property, {
      seed: seed * CONNECTIONS + lane,
      numRuns,
    });
    const [failing] = counterexample ?? [];
    if (failing) problems.push(describe(target, failing, (errorInstance as Error).message));
    else if (latest && !target.isAlive()) problems.push(describe(target, latest, 'it has ended'));
  };
  const lanes = Array.from({ length: Math.min(CONNECTIONS, count) }, (_, lane) => lane);
  await Promise.all(lanes.map((lane) => work(targets[lane % targets.length] as FuzzTarget, lane)));
  return { problems, table: printTable(seen) };
}

async function tryRequest({ name, url }: FuzzTarget, request: MalformedRequest) {
  const expected = request.isOwed ? request.expected?.[name] : undefined;
  const awaited = expected?.endsWith('close') ? Number.POSITIVE_INFINITY : (expected?.split(' ').length ?? 1);
  const lifetime = LIFETIMES[request.isOwed ? 'owed' : 'unowed'];
  try {
    const outcome = await sendRaw(url, { ...request, awaited, lifetime });
    const answer = String(outcome.answers[0]?.status ?? 'no answer');
    return { answer, problem: findProblem(outcome, request, expected) };
  } catch (error) {
    return { answer: 'no connection', problem: String(error) };
  }
}

function findProblem(outcome: Outcome, { bytes, isOwed }: MalformedRequest, expected?: string) {
  const { answers, rest, ended } = outcome;
  if (!(ended === 'cut' ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8))) return `not valid HTTP: ${rest}`;
  const fault = answers.find(({ status }) => status >= 500);
  if (fault !== undefined) return `the status ${fault.status}, ${fault.body}`;
  const isBare = (answer: Answer) => answer.status >= 400 && !isError(answer);
  const bare = answers.find((answer) => isBare(answer) && !(bytes.includes('HEAD ') && answer.body === ''));
  if (bare !== undefined) return `the status ${bare.status} without an Error body`;
  if (isOwed && answers.length === 0) return 'no answer';
  const actual = printOutcome(outcome);
  return expected === undefined || actual === expected ? undefined : `${actual} instead of ${expected}`;
}

function describe({ name, url }: FuzzTarget, { kind, ending, bytes }: MalformedRequest, problem: string) {
  const { hostname, port } = new URL(url);
  const text = bytes.replaceAll(/[^ -~]|['\\%]/g, (byte) => escapes[byte] ?? toOctal(byte));
  return `the ${name}, ${kind} (${ending}): ${problem}.\n  printf '${text}' | nc ${hostname} ${port}`;
}

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '%': '%%' };

const toOctal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;

function printTable(seen: readonly Seen[]): string {
  const groups = [
    ...sortedGroups(seen, (one) => `all to the ${one.target}`),
    ...sortedGroups(seen, (one) => one.kind),
  ];
  const rows = groups.map(([name, list]) => {
    const answers = sortedGroups(list, ({ answer }) => answer).map(
      ([answer, same]) => `${answer}: ${same.length}`,
    );
    return `| ${name} | ${list.length} | ${answers.join(', ')} |`;
  });
  return ['| | requests | answers |', '| --- | --- | --- |', ...rows].join('\n');
}

function sortedGroups<Value>(values: readonly Value[], keyOf: (value: Value) => string): [string, Value[]][] {
  return [...Map.groupBy(values, keyOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
