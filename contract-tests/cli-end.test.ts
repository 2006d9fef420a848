import type { ChildProcess } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../mock/index.ts';
import { runCli, startCli } from '../tools/testing/run-cli.ts';
import { clauseIds, cli, idsOf, runWith, startForTest } from './testing/run-suite.ts';

test.for(['SIGTERM', 'SIGINT'] as const)('a run that %s ends reports what was tried', async (signal) => {
  let child: ChildProcess | undefined;
  let requests = 0;
  const url = await startForTest({
    createAnswer: () => (request, asMock) => {
      requests += 1;
      if (requests === 150) child?.kill(signal);
      return asMock(request);
    },
  });
  const run = startCli([url, '--api-key', 'test-key', '--allow-writes', '--verbose', '--settle', '100'], {
    bin: cli,
  });
  child = run.child;
  const { exitCode, stdout, stderr } = await run.ended;
  expect(exitCode).toBe(signal === 'SIGTERM' ? 143 : 130);
  expect(stderr).toContain('animal-store-verify: The run was interrupted. With --allow-writes, the animals');
  expect(stdout).toMatch(/^ {2}passed {2}list-pets\/limit-invalid /m);
  expect(stdout).toMatch(/^Not tested\n(?: .*\n)*? {2}the run was interrupted\n.* list-pets\/pets/m);
  expect(stdout).toMatch(/^http\S+ has no verdict: the run was interrupted\n/);
});

test('the mock behind its checked proxy conforms', async () => {
  const mock = await startMock({ port: 0, log: 'silent', checkedProxy: true });
  onTestFinished(mock.close);
  const report = await runWith(undefined, { baseUrl: mock.checkedUrl ?? '' });
  expect(idsOf(report, 'passed')).toEqual(clauseIds);
});

test('the command ends once the report is written, whatever is still open', async () => {
  const url = await startForTest();
  const node = ['--import=data:text/javascript,setTimeout(()=>{},100_000)'];
  const args = [
    url,
    '--api-key',
    'test-key',
    '--only',
    'list-pets/success',
    '--settle',
    '100',
    '--reporter',
    'json',
  ];
  const { exitCode, stdout } = await runCli(args, { bin: cli, node });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ baseUrl: url });
});
