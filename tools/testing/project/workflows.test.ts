import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createFolder } from '../create-folder.ts';
import { listFiles } from './list-files.ts';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly outputs?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(import.meta.dirname, '../../..');
const readText = (file: string) => readFileSync(join(root, file), 'utf8');
const readWorkflow = (file: string): Workflow => parse(readText(file));
const ours = listFiles(/^\.github\/workflows\/.*\.ya?ml$/);
const all = listFiles(/^(?:\.github|examples)\/workflows\/(?!.*gitlab).*\.ya?ml$/);
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

test.for(ours)('%s has no rights but to read, and leaves no credentials to what it runs', (file) => {
  const workflow = readWorkflow(file);
  const rights = Object.entries(workflow.permissions ?? { all: 'write' });
  expect(rights.filter(([name, right]) => name !== 'contents' || right !== 'read')).toEqual([]);
  const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.map((step) => step.with)).toEqual(
    checkouts.map(() => expect.objectContaining({ 'persist-credentials': false })),
  );
});

test.for(ours)('in %s a job that may write runs nothing of ours and of our dependencies', (file) => {
  for (const { permissions = {}, steps } of Object.values(readWorkflow(file).jobs)) {
    if (!Object.values(permissions).includes('write')) continue;
    expect(steps.filter(({ uses }) => /^(?:actions\/checkout@|\.\/)/.test(uses ?? ''))).toEqual([]);
    const scripts = steps.map(({ run = '' }) => run).join('\n');
    expect(scripts.replaceAll(/^.*\bnpm publish .* --ignore-scripts .*$/gm, '')).not.toMatch(
      /\b(?:npm|npx|node|bash|sh|curl|git)\b/,
    );
  }
});

test('only the job that publishes has the right to, after tests and a check that every action is pinned', () => {
  const { build, test: tests, publish } = readWorkflow('.github/workflows/release.yaml').jobs;
  expect(build?.permissions).toEqual({ contents: 'read' });
  expect(tests?.permissions).toEqual({ contents: 'read' });
  expect(publish).toMatchObject({
    permissions: { 'id-token': 'write' },
    needs: ['build', 'test'],
    environment: 'npm',
  });
  const scripts = tests?.steps.flatMap(({ run = [] }) => run);
  expect(scripts).toEqual(['npm ci', expect.stringContaining('grep'), 'npm test', 'npm run check']);
  const nodes = [build, tests, publish]
    .flatMap((job) => job?.steps ?? [])
    .filter(({ uses }) => /setup-node/.test(uses ?? ''));
  expect(nodes.map((step) => step.with?.['package-manager-cache'])).toEqual([false, false, false]);
});

test('the release refuses a tarball that changed, is new, or is missing after the build', () => {
  const { build, publish } = readWorkflow('.github/workflows/release.yaml').jobs;
  const folder = createFolder();
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  const write = (name: string, text: string) => writeFileSync(join(tarballs, name), text);
  const output = join(folder, 'output');
  const run = (script = '', env: Readonly<Record<string, string>> = {}) =>
    execFileSync('bash', ['-e', '-c', script], {
      cwd: folder,
      env: { ...process.env, GITHUB_OUTPUT: output, ...env },
      stdio: 'pipe',
    });
  write('mock.tgz', 'mock');
  write('proxy.tgz', 'proxy');
  run(build?.steps.find(({ id }) => id === 'checksums')?.run);
  const [, CHECKSUMS = ''] = /^checksums<<END\n(.*)\nEND\n$/s.exec(readFileSync(output, 'utf8')) ?? [];
  expect(CHECKSUMS.split('\n')).toHaveLength(2);

  const script = publish?.steps.find(({ env }) => env?.CHECKSUMS !== undefined)?.run;
  const check =
    (checksums = CHECKSUMS) =>
    () =>
      run(script, { CHECKSUMS: checksums });
  expect(check()).not.toThrow();
  expect(check('')).toThrow();
  write('contract-tests.tgz', 'new');
  expect(check()).toThrow();
  rmSync(join(tarballs, 'contract-tests.tgz'));
  write('mock.tgz', 'changed');
  expect(check()).toThrow();
  rmSync(join(tarballs, 'mock.tgz'));
  expect(check()).toThrow();
});

test.for(all)('in %s no expression is a part of a script', (file) => {
  const lines: unknown[] = [];
  JSON.stringify(parse(readText(file)), (key, value) => {
    if (key === 'run') lines.push(value);
    return value;
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /\$\{\{/.test(`${line}`))).toEqual([]);
});

// A command that only lists what it would do, as with --list or --help, writes none and ends with 0.
test.for(all)('in %s a job without its report fails', (file) => {
  const uploads = stepsOf(readWorkflow(file)).filter(({ uses }) =>
    uses?.startsWith('actions/upload-artifact@'),
  );
  const missing = uploads.map((step) => step.with?.['if-no-files-found']);
  expect(missing).toEqual(uploads.map(() => 'error'));
});

test('each action has one version in all files', () => {
  const usesLine = /^\s*(?:- )?uses: ([\w.-]+\/[\w.-]+)\S*@(\S+)/gm;
  const uses = listFiles(/\.(?:md|ya?ml)$/).flatMap((file) =>
    [...readText(file).matchAll(usesLine)].map(([, action = '', version = '']) => ({ action, version })),
  );
  const versions = Map.groupBy(uses, ({ action }) => action);
  expect(versions.size).toBeGreaterThan(4);
  for (const [action, found] of versions)
    expect([action, ...new Set(found.map(({ version }) => version))]).toHaveLength(2);
});

test.for([true, false])('the release goes on if all actions are pinned: %s', (isPinned) => {
  const folder = createFolder();
  const version = isPinned ? `${'0a'.repeat(20)} # v7` : 'v7';
  mkdirSync(join(folder, '.github/workflows'), { recursive: true });
  writeFileSync(join(folder, '.github/workflows/one.yaml'), `      - uses: actions/checkout@${version}\n`);
  const { steps = [] } = readWorkflow('.github/workflows/release.yaml').jobs.test ?? {};
  const script = steps.find(({ run }) => run?.includes('grep'))?.run ?? '';
  const { status } = spawnSync('bash', ['-e', '-c', script], { cwd: folder });
  expect(status).toBe(isPinned ? 0 : 1);
});
