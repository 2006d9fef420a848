import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listUnpinned, pinFiles } from './pin-files.ts';

// Pins the actions in workflows, in action.yml and in the examples of pages. With --check it only lists those that are not pinned,
// and exits with 1 if there are any. The check reads YAML in every spelling, but what pins goes line by line, so it may leave some.

const root = join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const files = tracked.filter((file) => /\.(?:md|ya?ml)$/.test(file));

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (values.check) {
  const unpinned = listUnpinned(root, files);
  if (unpinned.length > 0) {
    const lines = unpinned.map((line) => `  ${line}\n`).join('');
    process.stderr.write(
      `${unpinned.length} actions are not pinned by a SHA. Run npm run pin-actions, and commit. ` +
        `Write the SHAs that it leaves by hand:\n${lines}`,
    );
    process.exitCode = 1;
  }
} else {
  const { GITHUB_API_URL: url = 'https://api.github.com', GITHUB_TOKEN: token } = process.env;
  try {
    for (const file of await pinFiles({ url, token }, root, files)) process.stdout.write(`pinned ${file}\n`);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    process.stderr.write(`No file has changed. ${message}${reason}\n`);
    process.exitCode = 1;
  }
}
