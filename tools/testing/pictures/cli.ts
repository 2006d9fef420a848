import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { recordTerminal } from './record-terminal.ts';
import { takeScreenshots } from './take-screenshots.ts';

// `npm run pictures` takes all pictures of the documents. With --check it fails if what they show has changed since then.

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/pictures');
const record = join(folder, 'shown.json');

/** The sources of what the pictures show. */
const shown = [
  'console/**/*.{ts,css,html}',
  'contract-tests/reporters/html/*',
  'mock/run-mock.ts',
  'proxy/findings/*.ts',
  'tools/testing/pictures/*.ts',
];

/** Returns a hash of each source. */
function hashSources(): Record<string, string> {
  const isShown = (file: string) => !/\.test\.ts$|^(?!tools).*\/testing\//.test(file);
  const files = shown.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(isShown);
  const hash = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
  return Object.fromEntries(files.toSorted().map((file) => [file, hash(file)]));
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
if (values.check) {
  const taken: Record<string, string> = JSON.parse(readFileSync(record, 'utf8'));
  const changed = Object.entries(hashSources()).filter(([file, hash]) => taken[file] !== hash);
  if (changed.length > 0) {
    const files = changed.map(([file]) => `  ${file}`).join('\n');
    process.stderr.write(
      `The pictures are older than what they show. Take them again: npm run pictures\n${files}\n`,
    );
    process.exitCode = 1;
  }
} else {
  await takeScreenshots(folder);
  await recordTerminal(join(folder, 'terminal.svg'));
  writeFileSync(record, `${JSON.stringify(hashSources(), undefined, 2)}\n`);
}
