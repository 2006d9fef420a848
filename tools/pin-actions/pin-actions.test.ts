import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';
import { listFiles } from '../testing/project/list-files.ts';
import { listUnpinned, pinFiles } from './pin-files.ts';

const checkout = '1'.repeat(40);
const cache = '2'.repeat(40);

/** What the server in the place of GitHub answers. */
const answers: Readonly<Record<string, string>> = {
  '/repos/actions/checkout/commits/tags/v7': checkout,
  '/repos/actions/cache/commits/tags/v5': `${cache}\n`,
  '/repos/actions/broken/commits/tags/v1': '{"sha":"3"}',
};

/** Starts a server in the place of GitHub, which keeps its requests. */
async function startGitHub() {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200).end(answer ?? '{"message":"Not Found"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function createFiles(files: Readonly<Record<string, string>>): string {
  const root = createFolder();
  mkdirSync(join(root, 'docs'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  return root;
}

const workflow = `jobs:
  ci:
    steps:
      - uses: actions/checkout@v7
      - name: Restore
        uses: "actions/cache/restore@v5"
      - uses: ./local
      - uses: your-organisation/animal-store@main
      - run: 'echo uses: actions/checkout@v7'
`;

test('every action is pinned by the commit of its tag, with the tag as a comment, also in pages', async () => {
  const { url, requests } = await startGitHub();
  const page = '# Page\n\n```yaml\n    - uses: actions/checkout@v7\n```\n';
  const root = createFiles({ 'ci.yaml': workflow, 'docs/page.md': page, 'docs/other.md': '# Other\n' });
  const files = ['ci.yaml', 'docs/page.md', 'docs/other.md'];
  expect(listUnpinned(root, files)).toEqual([
    'ci.yaml:4: actions/checkout@v7',
    'ci.yaml:6: actions/cache/restore@v5',
    'docs/page.md:4: actions/checkout@v7',
  ]);
  expect(await pinFiles({ url, token: 'a-token' }, root, files)).toEqual(['ci.yaml', 'docs/page.md']);
  const pinned = workflow
    .replace('- uses: actions/checkout@v7\n', `- uses: actions/checkout@${checkout} # v7\n`)
    .replace('"actions/cache/restore@v5"', `actions/cache/restore@${cache} # v5`);
  expect(readFileSync(join(root, 'ci.yaml'), 'utf8')).toBe(pinned);
  expect(readFileSync(join(root, 'docs/page.md'), 'utf8')).toContain(
    `uses: actions/checkout@${checkout} # v7\n`,
  );
  expect(listUnpinned(root, files)).toEqual([]);
  expect(requests.map((request) => request.url)).toEqual([
    '/repos/actions/checkout/commits/tags/v7',
    '/repos/actions/cache/commits/tags/v5',
  ]);
  for (const { headers } of requests) {
    expect(headers.accept).toBe('application/vnd.github.sha');
    expect(headers.authorization).toBe('Bearer a-token');
  }
});

test('a pinned action stays, and GitHub is not asked', async () => {
  const { url, requests } = await startGitHub();
  const root = createFiles({ 'ci.yaml': `  - uses: actions/checkout@${cache} # v6.0.1\n` });
  expect(await pinFiles({ url }, root, ['ci.yaml'])).toEqual([]);
  expect(requests).toEqual([]);
});

test('a SHA without its version in a comment is not pinned', () => {
  const root = createFiles({ 'ci.yaml': `  - uses: actions/checkout@${cache}\n` });
  expect(listUnpinned(root, ['ci.yaml'])).toEqual([`ci.yaml:1: actions/checkout@${cache}`]);
});

test.for([
  ['actions/checkout@v99', 'GitHub answers 404. Correct the name or the tag of the action.'],
  ['actions/broken@v1', 'which is no SHA.'],
] as const)('no file changes if GitHub gives no commit for %s', async ([action, message]) => {
  const { url } = await startGitHub();
  const files = { 'a.yaml': '- uses: actions/checkout@v7\n', 'b.yaml': `- uses: ${action}\n` };
  const root = createFiles(files);
  await expect(pinFiles({ url }, root, Object.keys(files))).rejects.toThrow(message);
  for (const [file, text] of Object.entries(files)) expect(readFileSync(join(root, file), 'utf8')).toBe(text);
});

const unpinnedUses: readonly (readonly [lines: string, use: string])[] = [
  ['- uses: actions/checkout@v7 # v7 is fine', 'actions/checkout@v7'],
  ['-   uses: actions/checkout@v7', 'actions/checkout@v7'],
  ['- { uses: actions/checkout@v7 }', 'actions/checkout@v7'],
  ['- "uses": actions/checkout@v7', 'actions/checkout@v7'],
  ['- uses : actions/checkout@v7', 'actions/checkout@v7'],
  ['- uses: >-\n    actions/checkout@v7', 'actions/checkout@v7'],
  ['- uses:\n    actions/checkout@v7', 'actions/checkout@v7'],
  ['- uses: docker://alpine:3', 'docker://alpine:3'],
  ['- uses: actions/checkout', 'actions/checkout'],
  [`- uses: actions/checkout@${checkout.slice(1)}`, `actions/checkout@${checkout.slice(1)}`],
];

test.for(unpinnedUses)('the check finds %j, also in a page', ([lines, use]) => {
  const steps = `steps:\n${lines}\n`;
  const root = createFiles({
    'ci.yaml': steps,
    'docs/page.md': `# Page\n\n1. A step:\n\n   \`\`\`yaml\n${steps.replaceAll(/^/gm, '   ')}\n   \`\`\`\n`,
  });
  const found = listUnpinned(root, ['ci.yaml', 'docs/page.md']);
  expect(found.map((line) => line.replace(/:\d+: /, ' '))).toEqual([`ci.yaml ${use}`, `docs/page.md ${use}`]);
});

test('the check accepts a SHA in every spelling, an action of the same repository, and the digest of an image', () => {
  const image = `docker://alpine@sha256:${'3'.repeat(64)}`;
  const steps = `steps: [{ uses: actions/checkout@${checkout} }, { "uses": ./local }, { uses: '${image}' }]\n`;
  expect(listUnpinned(createFiles({ 'ci.yaml': steps }), ['ci.yaml'])).toEqual([]);
});

test('the check refuses a workflow that is no YAML', () => {
  const root = createFiles({ 'ci.yaml': 'steps: [\n' });
  expect(listUnpinned(root, ['ci.yaml'])).toEqual([expect.stringMatching(/^ci\.yaml:\d: this is no YAML/)]);
});

test('the check of the project names what is not pinned, and fails exactly then', () => {
  const root = join(import.meta.dirname, '../..');
  const unpinned = listUnpinned(root, listFiles(/\.(?:md|ya?ml)$/));
  const check = () =>
    execFileSync(process.execPath, ['tools/pin-actions/cli.ts', '--check'], { cwd: root, stdio: 'pipe' });
  if (unpinned.length === 0) expect(check).not.toThrow();
  else expect(check).toThrow(unpinned[0]);
});
