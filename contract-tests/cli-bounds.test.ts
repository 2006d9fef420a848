import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { DeployedReply } from './deployments/deployment.ts';
import { createError } from './deployments/replies.ts';
import { hasKey } from './deployments/requests.ts';
import { cli, runCli, startForTest } from './testing/run-cli.ts';

afterEach(vi.unstubAllEnvs);

test.for([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  'a run that is interrupted by %s says what stays, and reports what was tried',
  async ([signal, code]) => {
    let child: ChildProcess | undefined;
    let requests = 0;
    const url = await startForTest({
      createBehaviour: () => (request, asMock) => {
        requests += 1;
        if (requests === 400) child?.kill(signal);
        return asMock(request);
      },
    });
    child = spawn(process.execPath, [cli, url, '--api-key', 'test-key', '--allow-writes', '--verbose'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = [text(child.stdout as Readable), text(child.stderr as Readable)];
    expect(await once(child, 'exit')).toEqual([code, null]);
    expect(await stderr).toContain('animal-store-verify: interrupted; animals that were added');
    expect(await stdout).toMatch(/^ {2}passed {2}list-pets\/missing-key /m);
    expect(await stdout).toMatch(
      /^Not tested\n(?: .*\n)*? {2}the run was interrupted\n {4}\d+ clauses: .*\blist-pets\/pets\b/m,
    );
    expect(await stdout).toMatch(
      / conforms in part: \d+ of \d+ required clauses tested \(interrupted\)\n\d+ passed, 0 failed, /,
    );
  },
);

const whole = `[${`{"id":1,"name":"Rex","categoryId":1,"x":"${'x'.repeat(84_000)}"},`.repeat(99)}{}`;

test.for<[what: string, only: string, DeployedReply]>([
  [
    '8 MiB but one',
    'list-pets/limit',
    { status: 200, headers: {}, body: `${whole.padEnd(8 * 1024 * 1024 - 2)}]` },
  ],
  ['32 MiB', 'list-pets/limit', { status: 200, headers: {}, body: Buffer.alloc(2 ** 25, '[1e399,') }],
  [
    'a gzip bomb',
    'list-pets/limit',
    {
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(2 ** 25, '[1e399,')),
    },
  ],
])('of answers of %s, less than 450 MB are in memory', async ([, only, reply]) => {
  let requests = 0;
  // Without the key it answers as the service, so that it is judged.
  const url = await startForTest({
    createBehaviour: () => async (request) => {
      requests += 1;
      return hasKey(request) ? reply : createError(401);
    },
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is for the command's process.
  const told = 'process.on("exit", () => process.stderr.write(`${process.resourceUsage().maxRSS} kB`))';
  const options = `--import=data:text/javascript,${encodeURIComponent(told)}`;
  vi.stubEnv('NODE_OPTIONS', options);
  const { stderr } = await runCli([url, '--allow-writes', '--only', only]);
  expect(Number(/(\d+) kB$/.exec(stderr)?.[1])).toBeLessThan(450_000);
  // Of each answer up to 8 MiB are read.
  expect(requests).toBeGreaterThan(28);
});

test('the command ends once the report is written, whatever is still open', async () => {
  const url = await startForTest();
  vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,setTimeout(()=>{},100_000)');
  const { exitCode, stdout } = await runCli([url, '--only', 'list-pets/success', '--reporter', 'json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ baseUrl: url });
});
