import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { findChromium } from '../tools/chromium/find-chromium.ts';
import { installFolder } from '../tools/install/install-folder.ts';
import { findNode } from '../tools/nodes/find-node.ts';

// Runs each example in an empty folder with our packages as they are published, and the steps of the workflows.
// `npx node examples/run.ts 22.15 26` runs them on these releases of Node, `… msw` those with that in their name. Ends at the first that
// fails.

const root = join(import.meta.dirname, '..');
const typesOf = (file: string) =>
  `tsc --noEmit --module nodenext --target es2024 --lib es2024,dom --types "" --strict --skipLibCheck ${file}`;

/** Each example with the packages that it needs, and the command that tries it. */
const examples = {
  'verify-from-code': ['mock contract-tests', 'node verify.mjs'],
  // The exit code 1 says that something breaks the tests.
  'try-behaviours': ['mock', 'npm run try || test $? -eq 1'],
  'test-with-msw': ['mock', `${typesOf('component.test.ts')} && npm test`],
  // There is no Docker to run it with.
  testcontainers: ['', 'npm run types'],
  'server-rendered-and-playwright': ['mock', 'npm run types && npm test -- -c here.config.ts'],
  'react-and-playwright': ['mock', 'npm run generate && npm run types && npm test -- -c here.config.ts'],
} as const;

// Playwright downloads its own browser. Here it uses the browser of an npm package.
const executablePath = await findChromium();
const launchOptions = JSON.stringify({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const browserConfig = `import config from './playwright.config';
  export default { ...config, use: { ...config.use, launchOptions: ${launchOptions} } };`;

const folder = mkdtempSync(join(tmpdir(), 'animal-store-examples-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const env: NodeJS.ProcessEnv = { ...process.env, CI: 'true', npm_config_loglevel: 'error' };
const run = (line: string, cwd: string, variables: Readonly<Record<string, string>> = {}) =>
  execFileSync('bash', ['-e', '-c', line], { cwd, env: { ...env, ...variables }, stdio: 'inherit' });
const install = 'npm install --prefer-offline --ignore-scripts --no-audit --no-fund';

run(`npm pack --silent --workspaces --pack-destination ${folder}`, root);
installFolder('tools/dockerfile');
run('npm run --silent lint --prefix tools/dockerfile', root);
const isRelease = (word: string) => /^\d/.test(word);
const releases = process.argv.slice(2).filter(isRelease);
const [wanted = ''] = process.argv.slice(2).filter((word) => !isRelease(word));
const names = Object.keys(examples).concat('workflows');
if (!names.some((name) => name.includes(wanted))) throw new Error(`${wanted} is in none of ${names}`);
for (const release of releases.length === 0 ? ['24'] : releases) {
  useNode(release);
  run('node --version', folder);
  for (const [name, [packages, line]] of Object.entries(examples)) {
    if (!name.includes(wanted)) continue;
    process.stdout.write(`\n${name}\n`);
    const cwd = join(folder, `${name}-${release}`);
    const filter = (file: string) => !file.endsWith('node_modules');
    cpSync(join(root, 'examples', name), cwd, { recursive: true, filter });
    if (line.includes('here.config.ts')) writeFileSync(join(cwd, 'here.config.ts'), browserConfig);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const tarballs = packages.replaceAll(/mock|contract-tests/g, `../animal-store-$&-${version}.tgz`);
    run(`${install} ${tarballs}`, cwd);
    run(line, cwd, { MOCK_PORT: await findPort(), APP_PORT: await findPort() });
    if (name === 'try-behaviours') checkTrial(join(cwd, 'causes.json'));
  }
}
if ('workflows'.includes(wanted)) runWorkflows();

/** Lets all that follows start with this release of Node. */
function useNode(release: string): void {
  env.PATH = [findNode(release), process.env.PATH].join(delimiter);
}

async function findPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `${port}`;
}

interface ChoiceValues {
  readonly choice: string;
  readonly values: readonly unknown[];
}

/** A part of the report of `--try-behaviours`. */
interface Trial {
  readonly runs: number;
  readonly causes: readonly ChoiceValues[];
  readonly passed: readonly ChoiceValues[];
}

/** Expects the five things that the app assumes, and no more runs than the guide says. */
function checkTrial(file: string): void {
  const { causes, passed, runs }: Trial = JSON.parse(readFileSync(file, 'utf8'));
  const assumed = ['invalidStatus', 'listDelay', 'order', 'pageSize', 'statusWhenOmitted'];
  deepEqual(causes.map(({ choice }) => choice).toSorted(), assumed);
  const count = (all: readonly ChoiceValues[]) => all.flatMap(({ values }) => values).length;
  // A run with each value that acts, two others, and another one with each value that breaks the tests.
  equal(runs, count(causes) + count(passed) + 2 + count(causes));
}

/** Runs the commands of each job, with a mock in the place of staging and of the user's service. */
function runWorkflows(): void {
  const cwd = join(folder, 'workflows');
  mkdirSync(cwd);
  const pets = 'curl --silent --header "Authorization: Bearer test-key" "$ANIMAL_STORE_URL/pets';
  const scripts = { test: `${pets}?limit=1" --fail`, e2e: `${pets}?$QUERY"` };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }));
  run(`${install} ../*.tgz`, cwd);
  const runJob = (name: string, lines: readonly string[], { query = 'limit=1', options = '' } = {}) => {
    process.stdout.write(`\n${name} ${options}\n`);
    const variables =
      'export STAGING_URL=$ANIMAL_STORE_URL SERVICE_URL=$ANIMAL_STORE_URL ANIMAL_STORE_API_KEY=test-key';
    writeFileSync(join(cwd, 'job.sh'), [variables, ...lines].join('\n'));
    run(`npx --no -- animal-store-mock --port 0 ${options} -- bash -e job.sh`, cwd, { QUERY: query });
  };
  const onGitHub: { jobs: Record<string, { steps: Step[] }> } = readExample('animal-store.yaml');
  const linesOf = (job: string) =>
    onGitHub.jobs[job]?.steps.flatMap(({ name, run: line = [] }) => (name === undefined ? [] : line)) ?? [];
  for (const job of Object.keys(onGitHub.jobs)) runJob(`GitHub: ${job}`, linesOf(job));
  // The mock leaves this parameter alone, and the contract does not know it: the gate is for errors.
  runJob('GitHub: e2e', linesOf('e2e'), { query: 'limit=1&page=2' });
  throws(() => runJob('GitHub: e2e', linesOf('e2e'), { query: 'limit=101' }), /Command failed/);
  match(readFileSync(join(cwd, 'violations.xml'), 'utf8'), /<failure/);
  const onGitLab: Record<string, { script: string[] }> = readExample('animal-store.gitlab-ci.yml');
  for (const [name, { script }] of Object.entries(onGitLab)) {
    const [installing, ...lines] = script;
    equal(installing, 'npm ci');
    runJob(`GitLab: ${name}`, lines);
  }
  equal(existsSync(join(cwd, 'report.xml')), true);
  // Staging as it was learned, and staging that has changed since then.
  run('npx --no -- animal-store-mock learn today.har > staging.json', cwd);
  const { script = [] } = onGitLab['verify-staging'] ?? {};
  for (const lines of [linesOf('staging'), script.slice(1)]) {
    runJob('staging', lines);
    throws(() => runJob('staging', lines, { options: '--behaviour lenient' }), /Command failed/);
  }
}

function readExample(name: string) {
  return parse(readFileSync(join(root, 'examples/workflows', name), 'utf8'));
}

interface Step {
  readonly name?: string;
  readonly run?: string;
}
