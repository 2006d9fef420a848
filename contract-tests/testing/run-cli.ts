import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import { runTask } from '../../common/cli/run-task.ts';
import type { Ended } from '../../testing/run-in-turn.ts';
import { change } from '../deployments/changes.ts';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { parseVerifyArguments } from '../options.ts';
import { verify } from '../verify.ts';

/** The command's file. */
export const cli = join(import.meta.dirname, '../cli.ts');

/** Runs the command with a key in the environment; an empty one is none. */
type RunCli = (args: readonly string[], key?: string, environment?: NodeJS.ProcessEnv) => Promise<Ended>;

/** Runs the command in its own process. */
export const runCli: RunCli = async (args, key = 'test-key', environment = {}) => {
  const env = { ...process.env, ANIMAL_STORE_API_KEY: key, ...environment };
  const run = promisify(execFile)(process.execPath, [cli, ...args], { env });
  const { code = 0, stdout, stderr } = await run.catch((error) => error);
  return { exitCode: Number(code), stdout: String(stdout), stderr: String(stderr) };
};

/** Runs the command in this process. */
export const runCommand: RunCli = async (args, key = 'test-key', environment = {}) => {
  const { argv, env, exitCode } = process;
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) => {
    process[name].setMaxListeners(0);
    return vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
  });
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = env;
  process.env = { ...inherited, ANIMAL_STORE_API_KEY: key, ...environment };
  process.argv = [...argv.slice(0, 2), ...args];
  try {
    await runTask('animal-store-verify', async () => verify(parseVerifyArguments(args)));
    return { ...printed, exitCode: Number(process.exitCode) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    Object.assign(process, { argv, env, exitCode });
  }
};

/** Starts a deployment until the test has finished. @returns its base URL. */
export async function startForTest(deployment: Partial<Deployment> = {}): Promise<string> {
  const { url, close } = await startDeployment({ name: 'is tried', ...deployment });
  onTestFinished(close);
  return url;
}

/** Breaks one clause, list-pets/limit-is-a-maximum. */
export const withoutMaximum = { createBehaviour: change.query((limit) => limit === '5', { limit: '6' }) };
