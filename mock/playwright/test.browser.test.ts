import { createServer, type IncomingMessage, type Server, request as sendOn } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { inBrowser } from '../../tools/testing/browser.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { listen } from '../../tools/testing/listen.ts';
import { startCli } from '../../tools/testing/run-cli.ts';
import { readLaunchOptions } from '../../tools/testing/start-browser.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const launchOptions = await readLaunchOptions();
const example = path('../../examples/server-rendered-and-playwright');

/** A result in the JSON of Playwright. */
interface Result {
  readonly status: string;
  readonly attachments: readonly { readonly name: string; readonly body?: string }[];
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly projectName: string; readonly results: readonly Result[] }[];
  }[];
}

/** Runs the tests of projects with the runner of Playwright. @returns the result of each test, by project and title */
async function runPlaywright(config: object, environment: Readonly<Record<string, string>>) {
  const paths = { 'animal-store-mock/playwright': [path('test.ts')] };
  const folder = createFolder({ 'tsconfig.json': JSON.stringify({ compilerOptions: { paths } }) });
  const all = {
    ...config,
    tsconfig: `${folder}/tsconfig.json`,
    outputDir: `${folder}/results`,
    reporter: 'json',
    fullyParallel: true,
    workers: 2,
  };
  const folderOfConfig = createFolder({ 'playwright.config.mjs': `export default ${JSON.stringify(all)}` });
  const bin = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const args = ['test', '--config', `${folderOfConfig}/playwright.config.mjs`];
  const { stdout, stderr } = await startCli(args, { bin, environment }).ended;
  expect(stderr).toBe('');
  const results = new Map<string, Result>();
  const visit = ({ suites = [], specs }: Suite) => {
    for (const { title, tests } of specs)
      for (const { projectName, results: list } of tests)
        results.set(`${projectName}: ${title}`, list.at(-1) as Result);
    suites.forEach(visit);
  };
  for (const suite of JSON.parse(stdout).suites) visit(suite);
  return results;
}

const statuses = (results: ReadonlyMap<string, Result>) =>
  Object.fromEntries(Array.from(results, ([name, { status }]) => [name, status]));

const readAttachment = (result: Result | undefined, name: string) =>
  Buffer.from(result?.attachments.find((one) => one.name === name)?.body ?? '', 'base64').toString();

/** Starts the app of the example. @returns its origin */
async function startApp(url: string): Promise<string> {
  const environment = { APP_PORT: '0', ANIMAL_STORE_URL: url, ANIMAL_STORE_API_KEY: 'test-key' };
  const { waitFor } = startCli([], { bin: `${example}/app.mjs`, environment });
  return (await waitFor(/\n/)).trim();
}

/** Starts a proxy in front of an app that does not forward the header of the session. */
function startForgetful(origin: string): Promise<string> {
  return listen(
    createServer((incoming, outgoing) => {
      const { 'x-animal-store-session': _, ...headers } = incoming.headers;
      const { method, url } = incoming;
      const sent = sendOn(`${origin}${url}`, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      });
      incoming.pipe(sent);
    }),
  );
}

const sessionOf = ({ headers }: IncomingMessage) => headers['x-animal-store-session'];

/** Creates a server whose pages are the session of the request. */
function createApp(): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app');
    if (pathname === '/redirect') {
      response.writeHead(302, { Location: `${searchParams.get('to')}` }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html');
    response.end(`<link rel="icon" href="data:,"><body>${sessionOf(request)}`);
  });
}

inBrowser(
  'tests that run at the same time have a session each, also where a server renders the pages',
  { timeout: 120_000 },
  async () => {
    const mock = await startTestMock();
    const app = await startApp(mock.url);
    const forgetful = await startForgetful(app);
    const use = { mockUrl: mock.url, launchOptions };
    const results = await runPlaywright(
      {
        testDir: `${example}/tests`,
        expect: { timeout: 1_000 },
        projects: [
          { name: 'example', expect: { timeout: 20_000 }, use: { ...use, baseURL: app } },
          { name: 'forgetful', use: { ...use, baseURL: forgetful } },
        ],
      },
      {},
    );
    expect(statuses(results)).toEqual({
      'example: shows Rex, and adds Kit': 'passed',
      'example: shows Tom, and adds Kit': 'passed',
      'example: shows that the service fails': 'passed',
      'forgetful: shows Rex, and adds Kit': 'failed',
      'forgetful: shows Tom, and adds Kit': 'failed',
      'forgetful: shows that the service fails': 'failed',
    });
    expect(results.get('example: shows Rex, and adds Kit')?.attachments).toEqual([]);
    const attached = readAttachment(
      results.get('forgetful: shows Rex, and adds Kit'),
      'requests of the mock',
    );
    expect(attached).toMatch(
      /^No request with the header X-Animal-Store-Session: shows-Rex-and-adds-Kit-\w{8} reached the mock\.\nIf your server renders, forward/,
    );
    expect(attached).toContain(`The page sends it only to ${forgetful}, ${new URL(mock.url).origin}: call`);
    expect(attached).toContain('Only the log of the mock has the requests that name two sessions');
    expect(mock.sessions()).toEqual([]);
  },
);

inBrowser(
  'the header goes to the app and the mock only, and a failed test has its requests',
  { timeout: 120_000 },
  async () => {
    const received: IncomingMessage[] = [];
    const app = await listen(createApp());
    const other = await listen(
      createServer((request, response) => {
        received.push(request);
        response.setHeader('Access-Control-Allow-Origin', '*').end('other');
      }),
    );
    const results = await runPlaywright(
      { testDir: path('../testing/playwright'), use: { baseURL: app, launchOptions } },
      { OTHER_ORIGIN: other },
    );
    expect(statuses(results)).toEqual({
      ': a page reads its session from the mock, and other origins without a preflight': 'passed',
      ': a redirect to the app has the header': 'passed',
      ': a fault that breaks the connection is not repeated by the browser': 'passed',
      ': another origin gets the header': 'passed',
      ': a route of the test comes first, and keeps the header with fallback': 'passed',
      ': fails after a request': 'failed',
      ': may end its session': 'passed',
    });
    const find = (url: string) => received.filter((request) => request.url === url);
    expect(find('/font').map(({ method, headers }) => [method, headers['x-animal-store-session']])).toEqual([
      ['GET', undefined],
    ]);
    expect(find('/named').map(sessionOf)).toEqual([
      expect.stringMatching(/^another-origin-gets-the-header-\w{8}$/),
    ]);
    const others = received.filter(({ url }) => url !== '/named');
    const withHeader = others.filter((one) => sessionOf(one) !== undefined);
    expect(withHeader.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
    expect(others.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    const failed = results.get(': fails after a request');
    const line = /^GET \/v1\/pets\?limit=0&token=\[key\] 400 <?\d+ ms invalid_request\n$/;
    expect(readAttachment(failed, 'requests of the mock')).toMatch(line);
    const { requests, violations } = JSON.parse(readAttachment(failed, 'requests of the mock as JSON'));
    expect(requests).toMatchObject([{ status: 400, headers: { authorization: '[key]' } }]);
    expect(violations).toEqual([]);
    expect(JSON.stringify(failed?.attachments)).not.toContain('test-key');
  },
);
