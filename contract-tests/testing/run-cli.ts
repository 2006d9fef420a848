import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, onTestFinished } from 'vitest';
import { type Ended, startInTurn } from '../../testing/run-in-turn.ts';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';

/** The command's file. */
export const cli = join(import.meta.dirname, '../cli.ts');

/** Runs the command with a key in the environment; an empty one is none. */
export type RunCli = (
  args: readonly string[],
  key?: string,
  environment?: NodeJS.ProcessEnv,
) => Promise<Ended>;

/** Starts what runs the command for all tests of a file in one process. */
export function startCli(): RunCli {
  const { run, stop } = startInTurn(cli);
  afterAll(stop);
  return (args, key = 'test-key', environment = {}) =>
    run({ args, environment: { ANIMAL_STORE_API_KEY: key, ...environment } });
}

/** Runs the command in a process of its own. */
export const runCli: RunCli = async (args, key = 'test-key') => {
  const env = { ...process.env, ANIMAL_STORE_API_KEY: key };
  const run = promisify(execFile)(process.execPath, [cli, ...args], { env });
  const { code = 0, stdout, stderr } = await run.catch((error) => error);
  return { exitCode: Number(code), stdout: String(stdout), stderr: String(stderr) };
};

/** Starts a deployment until the test has finished. @returns its base URL. */
export async function startForTest(deployment: Partial<Deployment> = {}): Promise<string> {
  const { url, close } = await startDeployment({ name: 'is tried', ...deployment });
  onTestFinished(close);
  return url;
}

/** Breaks one clause, list-pets/limit-is-a-maximum. */
export const withoutMaximum = {
  createBehaviour: () => (request, asMock) => {
    const query = new URLSearchParams(request.query);
    if (query.get('limit') === '5') query.set('limit', '6');
    return asMock({ ...request, query });
  },
} satisfies Partial<Deployment>;
