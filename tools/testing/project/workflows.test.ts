import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findActionUses } from '../../pin-actions/action-uses.ts';
import { listFiles } from './list-files.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
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

test('only the job that publishes has the right to, after a build whose actions are pinned', () => {
  const { build, publish } = readWorkflow('.github/workflows/release.yaml').jobs;
  expect(build?.permissions).toEqual({ contents: 'read' });
  expect(publish).toMatchObject({
    permissions: { 'id-token': 'write' },
    needs: 'build',
    environment: 'npm',
  });
  const scripts = build?.steps.flatMap(({ run = [] }) => run);
  expect(scripts?.[0]).toBe('node tools/pin-actions/cli.ts --check');
  const nodes = [build, publish]
    .flatMap((job) => job?.steps ?? [])
    .filter(({ uses }) => /setup-node/.test(uses ?? ''));
  expect(nodes.map((step) => step.with?.['package-manager-cache'])).toEqual([false, false]);
});

test.for(['action.yml', ...all])('in %s no expression is a part of a script', (file) => {
  const lines: unknown[] = [];
  JSON.stringify(parse(readText(file)), (key, value) => {
    if (key === 'run') lines.push(value);
    return value;
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /\$\{\{/.test(`${line}`))).toEqual([]);
});

test.for(['action.yml', ...all])('npm run pin-actions finds every action in %s', (file) => {
  const used: unknown[] = [];
  JSON.stringify(parse(readText(file)), (key, value) => {
    if (key === 'uses') used.push(value);
    return value;
  });
  const found = findActionUses(readText(file)).map(({ action, reference }) => `${action}@${reference}`);
  expect(found).toEqual(used);
});

test('each action has one version in all files', () => {
  const uses = listFiles(/\.(?:md|ya?ml)$/).flatMap((file) => findActionUses(readText(file)));
  const versions = Map.groupBy(uses, ({ repository }) => repository);
  expect(versions.size).toBeGreaterThan(4);
  for (const [repository, found] of versions) {
    const names = new Set(found.map(({ reference, version }) => version ?? reference));
    expect([repository, ...names]).toHaveLength(2);
  }
});
