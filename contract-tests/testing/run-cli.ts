import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Deployment } from '../deployments/deployment.ts';
import { startDeployment } from '../deployments/start-deployment.ts';

/** What a run of the command ended with. */
export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command's file. */
export const cli = join(import.meta.dirname, '../cli.ts');

/** Runs the command with a key in the environment; an empty one is none. */
export function runCli(args: readonly string[], key = 'test-key'): Promise<CliResult> {
  const env = { ...process.env, ANIMAL_STORE_API_KEY: key };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

/** Starts a deployment until the test has finished. @returns its base URL. */
export async function startForTest(deployment: Partial<Deployment> = {}): Promise<string> {
  const { url, close } = await startDeployment({ name: 'is tried', breaks: [], ...deployment });
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
