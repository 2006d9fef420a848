import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { printGet } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';
import { type CliResult, watchProcess } from './watch-process.ts';

const mockBin = fileURLToPath(new URL('../../mock/bin.js', import.meta.url));

interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** The path of the command. @default that of the mock */
  readonly bin?: string;
  /** Leaves stdin open, as a terminal does. @default false */
  readonly keepsStdin?: boolean;
}

/**
 * Starts the command, with no environment variable of an option but those given, and without a checked proxy beside the
 * mock; it is killed with the test.
 */
export function startCli(args: readonly string[], options: CliOptions = {}) {
  const { environment = {}, node = [], bin = mockBin, keepsStdin = false } = options;
  const isOption = (name: string) =>
    /^(?:ANIMAL_STORE_|(?:FORCE|NO)_COLOR$|PORT$|HOST$|CI$|GITHUB_|npm_)/.test(name);
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOption(name)));
  const child = spawn(process.execPath, [...node, bin, ...args], {
    env: { ...inherited, ANIMAL_STORE_NO_CHECKED_PROXY: 'true', ...environment },
    stdio: 'pipe',
  });
  if (!keepsStdin) child.stdin.end();
  return watchProcess(child);
}

/** Runs the command to its end. */
export function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** Starts the mock's command, and waits for its announcement; `url` is the base URL in it. */
export async function startMockCli(args: readonly string[] = [], options?: CliOptions) {
  const cli = startCli(['--port', '0', ...args], options);
  const announcement = await cli.waitFor(/\ntry: .*\n/);
  return { ...cli, announcement, url: urlIn(announcement) };
}

/** Stops reading what a command prints, and has it log 3 MB of refused requests at a base URL. */
export async function fillLog({ stdout }: ChildProcess, url: string): Promise<void> {
  stdout?.removeAllListeners('data').pause();
  const bytes = printGet(`/v1/pets?limit=0&x=${'x'.repeat(10_000)}`).repeat(300);
  await sendRaw(url, { bytes, expected: Array(300).fill('400').join(' ') });
}

/** The base URL in what the mock's command prints when it listens. */
export function urlIn(stdout: string): string {
  return /^animal-store-mock listening on (http:\S+\/v1)\s/.exec(stdout)?.[1] ?? '';
}
