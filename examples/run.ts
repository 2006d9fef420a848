import { equal, match, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { findChromium } from '../tools/chromium/find-chromium.ts';
import { installFolder } from '../tools/install/install-folder.ts';
import { findNode } from '../tools/nodes/find-node.ts';

// Runs each example in an empty folder with our packages as they are published, and the steps of the workflows. `npm run examples -- 22.15 26` runs them on these releases of Node, `-- jest` those with that in
// their name. Ends at the first that fails.

const root = join(import.meta.dirname, '..');
const typesOf = (file: string) =>
  `tsc --noEmit --module nodenext --target es2024 --lib es2024,dom --types "" --strict --skipLibCheck ${file}`;

/** Each example with the packages that it needs, and the command that tries it. */
const examples = {
  'frontend.test.ts': ['mock vitest', `${typesOf('frontend.test.ts')} && npx vitest run`],
  'over-http.test.mjs': ['mock', 'npx --no -- animal-store-mock --port 0 -- node --test over-http.test.mjs'],
  behaviours: [
    'mock',
    `npx --no -- animal-store-mock --port 0 --try-behaviours -- node --test > found.txt || test $? -eq 1; cat found.txt
    for choice in order 'status when omitted' 'error codes' charset 'list delay' ids; do grep " $choice:" found.txt; done`,
  ],
  'verify-from-code': ['mock contract-tests', 'node verify.mjs'],
  'verify-with-node-test': ['mock contract-tests', 'node --test'],
  'verify-with-jest': ['mock contract-tests', 'npm test'],
  'test-with-jest': ['mock', 'npm test'],
  'test-with-ts-jest': ['mock', 'npx tsc -p . && npm test'],
  'test-with-msw': ['mock', `${typesOf('component.test.ts')} && npm test`],
  'test-with-cypress': ['mock', 'npm run types'],
  // There is no Docker to run it with.
  testcontainers: ['', 'npm run types && { ! command -v python3 || python3 -m py_compile test_animals.py; }'],
  devcontainer: [
    'mock',
    `export ANIMAL_STORE_PORT=$MOCK_PORT
    eval "$(node --print "JSON.parse(fs.readFileSync('.devcontainer/devcontainer.json', 'utf8')).postStartCommand")"
    curl --fail --header 'Authorization: Bearer test-key' "http://127.0.0.1:$MOCK_PORT/v1/pets?limit=1"
    kill "$(cat /tmp/animal-store-mock.pid)"`,
  ],
  'server-rendered-and-playwright': ['mock', 'npm run types && npm test -- -c here.config.ts'],
  'react-and-playwright': ['mock', 'npm run generate && npm run types && npm test -- -c here.config.ts'],
} as const;

/** Adds a fault to the mock of the variables, which then answers every request with 500. */
const breakMock = `curl -fsS -H 'Content-Type: application/json' -d '{"status":500}' "\${ANIMAL_STORE_URL%/v1}/__admin/faults"`;

/** Nights of a deployment: the options of the mock in its place, whether it is down, and whether the job fails. */
const nights: readonly { options: string; isDown?: true; fails: boolean }[] = [
  { options: '', fails: false },
  { options: '--behaviour lenient', fails: true },
  { options: '--behaviour lenient', fails: false },
  { options: '', isDown: true, fails: true },
  // Compared with the night before the outage, which was lenient.
  { options: '', fails: true },
];

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
    const target = name.includes('.') ? join(cwd, name) : cwd;
    cpSync(join(root, 'examples', name), target, { recursive: true, filter });
    if (line.includes('here.config.ts')) writeFileSync(join(cwd, 'here.config.ts'), browserConfig);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const tarballs = packages.replaceAll(/mock|contract-tests/g, `../animal-store-$&-${version}.tgz`);
    run(`${install} ${tarballs}`, cwd);
    run(line, cwd, { MOCK_PORT: await findPort(), APP_PORT: await findPort() });
  }
}
if ('workflows'.includes(wanted)) {
  runWorkflows();
  runAction();
}

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

/** Runs the named step of each workflow against a mock instead of staging. */
function runWorkflows(): void {
  const cwd = join(folder, 'workflows');
  mkdirSync(cwd);
  const call = 'curl --silent --header "Authorization: Bearer test-key"';
  const pets = `${call} "$ANIMAL_STORE_URL/pets`;
  const scripts = { test: `${pets}?limit=1" --fail`, e2e: `${pets}?$QUERY"` };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }));
  run(`${install} ../*.tgz`, cwd);
  const runStep = (file: string, query = '') => {
    process.stdout.write(`\n${file}\n`);
    const { jobs } = parse(readFileSync(join(root, file), 'utf8'));
    const [job] = Object.values<{ steps: Step[] }>(jobs);
    const script = job?.steps.find(({ name }) => name !== undefined)?.run;
    writeFileSync(join(cwd, 'step.sh'), `export STAGING_URL=$ANIMAL_STORE_URL\n${script}`);
    run('npx --no -- animal-store-mock --port 0 -- bash -e step.sh', cwd, { QUERY: query });
  };
  runStep('examples/workflows/frontend-against-the-mock.yaml');
  const gate = 'examples/workflows/gate-around-e2e.yaml';
  runStep(gate, 'limit=1');
  // The mock leaves this parameter alone, and the contract does not know it: the gate is for errors.
  runStep(gate, 'limit=1&page=2');
  throws(() => runStep(gate, 'limit=101'), /Command failed/);
  match(readFileSync(join(cwd, 'violations.xml'), 'utf8'), /<failure/);
  runMockLikeStaging('examples/workflows/app-on-a-mock-like-staging.yaml', cwd);
  const onGitHub = 'examples/workflows/staging-every-night.yaml';
  const { jobs } = parse(readFileSync(join(root, onGitHub), 'utf8')) as {
    jobs: { verify: { steps: Step[] } };
  };
  const steps = jobs.verify.steps.filter(({ name, run }) => name !== undefined && run !== undefined);
  runNights(onGitHub, steps, cwd);
  const onGitLab = 'examples/workflows/.gitlab-ci.yml';
  const { 'verify-staging': job } = parse(readFileSync(join(root, onGitLab), 'utf8'));
  const [installing, ...lines] = job.script;
  equal(installing, 'npm ci');
  runNights(onGitLab, [{ run: lines.join('\n') }], cwd);
  runStep('examples/workflows/suite-against-staging.yaml');
  const gitLabJob = 'examples/workflows/suite-against-staging.gitlab-ci.yml';
  const { 'verify-staging': verifying } = parse(readFileSync(join(root, gitLabJob), 'utf8'));
  process.stdout.write(`\n${gitLabJob}\n`);
  writeFileSync(
    join(cwd, 'job.sh'),
    ['export STAGING_URL=$ANIMAL_STORE_URL', ...verifying.script.slice(1)].join('\n'),
  );
  rmSync(join(cwd, 'report.xml'));
  run('npx --no -- animal-store-mock --port 0 -- bash -e job.sh', cwd);
  equal(existsSync(join(cwd, 'report.xml')), true);
  runGitLabJobs('examples/workflows/app-and-service.gitlab-ci.yml', cwd);
}

/** Runs each job of a file for GitLab, with a mock in the place of its service. */
function runGitLabJobs(file: string, cwd: string): void {
  const jobs = parse(readFileSync(join(root, file), 'utf8')) as Readonly<
    Record<string, { readonly script: readonly string[] }>
  >;
  for (const [name, { script }] of Object.entries(jobs)) {
    process.stdout.write(`\n${file} ${name}\n`);
    const [installing, ...lines] = script;
    equal(installing, 'npm ci');
    const variables = 'export SERVICE_URL=$ANIMAL_STORE_URL ANIMAL_STORE_API_KEY=test-key QUERY=limit=1';
    writeFileSync(join(cwd, 'job.sh'), [variables, ...lines].join('\n'));
    run('npx --no -- animal-store-mock --port 0 -- bash -e job.sh', cwd);
  }
}

/** Runs the tests on a mock of a learned file, and the comparison of each night with a mock that has changed or not. */
function runMockLikeStaging(file: string, cwd: string): void {
  const { jobs } = parse(readFileSync(join(root, file), 'utf8')) as {
    jobs: Record<'test' | 'drift', { steps: Step[] }>;
  };
  const runJob = (job: keyof typeof jobs, options: string) => {
    process.stdout.write(`\n${file} ${job} ${options}\n`);
    const lines = jobs[job].steps.flatMap(({ name, run: line }) => (name === undefined ? [] : (line ?? [])));
    writeFileSync(join(cwd, 'job.sh'), ['export STAGING_URL=$ANIMAL_STORE_URL', ...lines].join('\n'));
    run(`npx --no -- animal-store-mock --port 0 ${options} -- bash -e job.sh`, cwd);
  };
  const learn = 'animal-store-verify "$ANIMAL_STORE_URL" --allow-writes --learn staging.json';
  writeFileSync(join(cwd, 'learn.sh'), `npx --no -- ${learn}`);
  run('npx --no -- animal-store-mock --port 0 --behaviour lenient -- bash -e learn.sh', cwd);
  runJob('test', '');
  runJob('drift', '--behaviour lenient');
  throws(() => runJob('drift', ''), /Command failed/);
}

/** Runs a job night after night in the same folder, which has the place of the cache. */
function runNights(file: string, steps: readonly Step[], cwd: string): void {
  rmSync(join(cwd, 'yesterday.json'), { force: true });
  const lines = steps.map((step, index) => {
    const name = `step-${index}.sh`;
    writeFileSync(join(cwd, name), `${step.run}`);
    const line = `bash -e ${name} || { failed=1; ${step.id ?? 'other'}=failure; }`;
    return step.if?.includes("steps.verify.outcome == 'success'") ? `[ $verify = failure ] || ${line}` : line;
  });
  const before = 'export STAGING_URL=$ANIMAL_STORE_URL; rm -f today.json; failed=0; verify=success';
  for (const { options, isDown, fails } of nights) {
    const start = isDown ? [breakMock, before] : [before];
    writeFileSync(join(cwd, 'night.sh'), [...start, ...lines, 'exit $failed'].join('\n'));
    process.stdout.write(`\n${file} ${options}\n`);
    const runNight = () => run(`npx --no -- animal-store-mock --port 0 ${options} -- bash night.sh`, cwd);
    if (fails) throws(runNight, /Command failed/);
    else runNight();
  }
}

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
}

/** Runs the steps of the action with a copy of this checkout, in the folder of a user who has none of our packages. */
function runAction(): void {
  process.stdout.write('\naction.yml\n');
  const [checkout, cwd] = [join(folder, 'action'), join(folder, 'user')];
  for (const path of [checkout, cwd]) mkdirSync(path);
  run(`git ls-files -z | tar --create --null --files-from - | tar --extract --directory ${checkout}`, root);
  const { runs } = parse(readFileSync(join(checkout, 'action.yml'), 'utf8')) as { runs: { steps: Step[] } };
  const [installing = '', verifying = ''] = runs.steps.flatMap(({ run }) => run ?? []);
  // In the action, actions/setup-node puts Node 24 there.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const variables = { PATH, GITHUB_ACTION_PATH: checkout, npm_config_prefer_offline: 'true' };
  run(installing, cwd, variables);
  writeFileSync(join(cwd, 'step.sh'), `export BASE_URL=$ANIMAL_STORE_URL\n${verifying}`);
  const inputs = { WRITES: '', OPTIONS: '--header "X-Gateway: a b"' };
  const mock = join(root, 'mock/bin.js');
  run(`node ${mock} --port 0 -- bash -e step.sh`, cwd, { ...variables, ...inputs });
  const reports = ['html', 'json', 'xml'].map((type) => join(cwd, `animal-store-report.${type}`));
  equal(reports.every(existsSync), true);
  writeFileSync(join(cwd, 'outage.sh'), `${breakMock}\nbash -e step.sh`);
  throws(
    () => run(`node ${mock} --port 0 -- bash -e outage.sh`, cwd, { ...variables, ...inputs }),
    /Command failed/,
  );
}
