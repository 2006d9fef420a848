import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const mockBin = fileURLToPath(new URL('../bin.js', import.meta.url));

/** How a process of the command is started. */
export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** The path of the command. @default that of the mock */
  readonly bin?: string;
}

/** A process of the command that is running; it is killed with the test. */
export interface CliProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves with all of stdout so far as soon as it matches; rejects when stdout ends without. */
  waitFor(pattern: RegExp): Promise<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<CliResult>;
}

/** What a process of the command left behind. */
export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** Starts the command, with no environment variable of an option but those given, and without a checked proxy beside the mock. */
export function startCli(
  args: readonly string[],
  { environment = {}, node = [], bin = mockBin }: CliOptions = {},
): CliProcess {
  const isOption = (name: string) => /^(?:ANIMAL_STORE_|PORT$|HOST$|npm_)/.test(name);
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOption(name)));
  const child = spawn(process.execPath, [...node, bin, ...args], {
    env: { ...inherited, ANIMAL_STORE_NO_CHECKED_PROXY: 'true', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const ended = once(child, 'close').then(([exitCode]) => ({ stdout: stdout(), stderr: stderr(), exitCode }));
  return { child, ended, waitFor: (pattern) => waitFor(child.stdout, stdout, pattern) };
}

/** Runs the command to its end. */
export function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** Returns a function that tells all that a stream has brought so far. */
function gather(stream: Readable): () => string {
  let all = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    all += chunk;
  });
  return () => all;
}

async function waitFor(stream: Readable, gathered: () => string, pattern: RegExp): Promise<string> {
  while (!pattern.test(gathered())) {
    if (stream.readableEnded) throw new Error(`${pattern} did not come up in: ${gathered()}`);
    await Promise.race([once(stream, 'data'), once(stream, 'end')]);
  }
  return gathered();
}

/** What the last line of the announcement looks like. */
const announced = /\ntry: .*\n/;

/** Starts the mock's command, and waits for its announcement; `url` is the base URL in it. */
export async function startMockCli(args: readonly string[] = [], options?: CliOptions) {
  const cli = startCli(['--port', '0', ...args], options);
  const announcement = await cli.waitFor(announced);
  return { ...cli, announcement, url: urlIn(announcement) };
}

/** The base URL in what the mock's command prints when it listens. */
export function urlIn(stdout: string): string {
  return /^animal-store-mock listening on (http:\S+\/v1)\n/.exec(stdout)?.[1] ?? '';
}
