import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runCli } from '../tools/testing/run-cli.ts';
import { type DeployedReply, hasKey } from './deployments/messages.ts';
import { createError } from './deployments/replies.ts';
import { cli, startForTest } from './testing/run-suite.ts';

const long = Buffer.alloc(2 ** 25, '[1e399,');
const list = `[${`{"id":1,"name":"Rex","categoryId":1,"x":"${'x'.repeat(84_000)}"},`.repeat(99)}{}`;
// One character that is not in Latin-1 doubles the memory of a name.
const names = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(76_000)}\u0100`);
const animals = names.map((name, index) => ({ id: index + 1, name, categoryId: 1 }));

test.for<[what: string, headers: DeployedReply['headers'], body: string | Buffer]>([
  ['8 MiB but one', {}, `${list.padEnd(8 * 1024 * 1024 - 2)}]`],
  ['7.6 MB of names', {}, JSON.stringify(animals)],
  ['32 MiB', {}, long],
  ['a gzip bomb', { 'content-encoding': 'gzip' }, gzipSync(long)],
])('of responses of %s, less than 450 MB are in memory', async ([, headers, body]) => {
  let requests = 0;
  const url = await startForTest({
    createAnswer: () => async (request) => {
      requests += 1;
      // A service without any Error would get no verdict.
      return hasKey(request) ? { status: 200, headers, body } : createError(401);
    },
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is for the command's process.
  const report = 'process.on("exit", () => process.stderr.write(`${process.resourceUsage().maxRSS} kB`))';
  const node = [`--import=data:text/javascript,${encodeURIComponent(report)}`];
  const only = ['limit-bounds', 'limit-default', 'limit-invalid', 'filter-invalid', 'filter-complete'];
  const chosen = only.flatMap((id) => ['--only', `list-pets/${id}`]);
  const args = [url, '--api-key', 'test-key', '--allow-writes', '--settle', '100', ...chosen];
  const { stderr } = await runCli(args, { bin: cli, node });
  expect(Number(/(\d+) kB$/.exec(stderr)?.[1])).toBeLessThan(450_000);
  // Up to 8 MiB of each response are read.
  expect(requests).toBeGreaterThan(28);
});
