import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { printFramed } from '../tools/bench/print-request.ts';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { open } from '../tools/testing/exchange-raw.ts';
import { get, send } from '../tools/testing/http-case.ts';
import { fillLog, startCli, startMockCli, urlIn } from '../tools/testing/run-cli.ts';
import { startTestMock } from '../tools/testing/start-test-mock.ts';
import { listNetworkUrls } from './network-urls.ts';
import { runMock } from './run-mock.ts';

const rex = '{"name":"Rex","categoryId":1}';
const animalsWithOthers = `[${rex.replace('}', ',"staus":1,"b":[]}')},${rex}]`;

/** Starts a request that lacks its body. */
async function startUpload(url: string) {
  const socket = await open(url, printFramed('', `Content-Length: ${rex.length}`, 'Expect: 100-continue'));
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 /);
  return socket;
}

const refusesConnections = (url: string) =>
  expect.poll(() => fetch(url).catch(({ cause }) => cause.code)).toBe('ECONNREFUSED');

test('the command prints its address and its log, and SIGTERM gives open requests 5 seconds', async () => {
  const { announcement, child, url, waitFor } = await startMockCli();
  expect(announcement).toBe(
    `animal-store-mock listening on ${url}\n` +
      'API key: test-key\n' +
      'animals: 120\n' +
      `try: curl -H "Authorization: Bearer test-key" ${url}/pets\n` +
      `console: ${new URL('/', url)}\n`,
  );
  expect((await send(url, get('/v1/pets'))).body).toHaveLength(20);
  await waitFor(/\n\d\d:\d\d:\d\d mock {2}200 +<?\d+ ms {2}GET {2}\/v1\/pets\n$/);
  // From here on nobody reads the log, and the command ends all the same.
  await fillLog(child, url);
  const [socket, exited] = [await startUpload(url), once(child, 'exit')];
  await startUpload(url);
  const start = performance.now();
  child.kill('SIGTERM');
  await refusesConnections(url);
  child.kill('SIGTERM');
  socket.write(rex);
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 201 /);
  expect(await exited).toEqual([0, null]);
  expect(performance.now() - start).toBeGreaterThan(4_900);
});

test.for<[options: string, ...lines: string[]]>([
  [
    `--behaviour {"order":"oldest"} --no-admin`,
    'API key: test-key',
    'animals: 120',
    'behaviour: {"order":"oldest"}',
    'try: curl -H "Authorization: Bearer test-key" http://mock/v1/pets',
  ],
  [
    '--api-key MyOwnKey99 --data animals.json',
    'API key: as you set it (not shown)',
    'animals: 2',
    'try: curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" http://mock/v1/pets',
    'console: http://mock/',
    'left out, because not in the contract: staus, b',
  ],
])(
  'with %s the announcement has these lines, and leaves stdout to the command',
  async ([options, ...lines]) => {
    const file = join(createFolder({ 'animals.json': animalsWithOthers }), 'animals.json');
    const words = options.split(' ').map((word) => (word === 'animals.json' ? file : word));
    const command = ['bash', '-c', 'curl --silent --output /dev/null $ANIMAL_STORE_URL/pets'];
    const args = ['--port', '0', '--no-checked-proxy', ...words, '--', ...command];
    const { stderr, ...others } = await callCommand('animal-store-mock', runMock, args);
    expect(others).toEqual({ stdout: '', exitCode: 0 });
    const printed = stderr.replaceAll(/127\.0\.0\.1:\d+/g, 'mock').split('\n');
    expect(printed).toEqual(['animal-store-mock listening on http://mock/v1', ...lines, '']);
  },
);

const certificates = join(import.meta.dirname, '../tools/testing/certificates');
const tlsOptions = [
  ...['--tls-cert', join(certificates, 'localhost.pem')],
  ...['--tls-key', join(certificates, 'localhost-key.pem')],
];

test('on every address, the printed curl line works as it is, and the addresses of the network and how to turn on the console are printed', async () => {
  const { announcement } = await startMockCli(['--host', '0.0.0.0', '--require-session', ...tlsOptions]);
  const [, command = '', address = ''] =
    /\ntry: (.* (https:\/\/127\.0\.0\.1:\d+)\/.*)\n/.exec(announcement) ?? [];
  const run = (line: string) => promisify(execFile)('bash', ['-c', `${line} --silent --show-error`]);
  expect(JSON.parse((await run(command)).stdout)).toHaveLength(20);
  const lines = announcement.split('\n');
  const networks = lines.filter((line) => line.startsWith('network: '));
  const urls = listNetworkUrls(`${address.replace('127.0.0.1', '0.0.0.0')}/v1`).map(
    (one) => `network: ${one}`,
  );
  const none = 'network: no address found, except those that only this machine reaches';
  expect(networks).toEqual(urls.length > 0 ? urls : [none]);
  const off = lines.find((line) => line.startsWith('The console is off, because other machines')) ?? '';
  expect(JSON.parse((await run(`curl -k ${address}`)).stdout)).toMatchObject({ message: off });
  const [, option = ''] = /Turn it on with (--[\w-]+) <token>/.exec(off) ?? [];
  const isLocal = '[[ $ANIMAL_STORE_URL$ANIMAL_STORE_CHECKED_URL =~ ^http://127.*http://127 ]]';
  const argv = ['--port', '0', '--host', '0.0.0.0', option, 's3cr-token', '--', 'bash', '-c', isLocal];
  const { stderr, exitCode } = await callCommand('animal-store-mock', runMock, argv);
  expect(exitCode).toBe(0);
  for (const what of ['animal-store-mock', 'checked proxy'])
    expect(stderr).toContain(`${what} listening on http://0.0.0.0:`);
  expect(stderr).toMatch(/^console: http:\/\/127\.0\.0\.1:\d+\/$/m);
  expect(stderr).not.toContain('The console is off');
});

test('the checked proxy prints violations and counts them, and no key is printed', async () => {
  const [key, token, later] = ['MyOwnKey99', 's3cr-token', 'LaterKey77'];
  const program = `
    const { ANIMAL_STORE_URL: url, ANIMAL_STORE_CHECKED_URL: checked } = process.env;
    const json = { 'Content-Type': 'application/json' };
    const asAdmin = { ...json, Authorization: 'Bearer ${token}' };
    const settings = new URL('/__admin/settings', url);
    await fetch(settings, { method: 'PATCH', headers: asAdmin, body: '{"apiKeys":["${key}","${later}"]}' });
    for (const secret of ['${key}', '${token}', '${later}']) await fetch(checked + '/pets?limit=' + secret);
    const headers = { ...json, Authorization: 'Bearer ${later}' };
    const { status } = await fetch(checked + '/pets', { method: 'POST', headers, body: '${rex.replace('}', ',"staus":"sold"}')}' });
    console.assert(status === 201);`;
  const argv = [
    '--port',
    '0',
    '--log',
    'pretty',
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ];
  const environment = { ANIMAL_STORE_API_KEY: key, ANIMAL_STORE_ADMIN_TOKEN: token };
  const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, argv, environment);
  expect(exitCode).toBe(0);
  const [first = '', ...lines] = stderr.split('\n');
  const [, url] =
    /^animal-store-mock listening on (\S+) \(the checked proxy below shows violations\)$/.exec(first) ?? [];
  expect(lines[0]).toBe('API key: as you set it (not shown)');
  expect(stderr).toContain(`Bearer $ANIMAL_STORE_API_KEY" ${url}`);
  expect(stderr).toMatch(/\ntry: .*\n(?:.*\n)*checked proxy listening on \S+\n/);
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d proxy violation error listPets request.query.limit type: /m);
  const unknown = 'staus is not a member of the request body of createPet. Did you mean status?';
  expect(stdout).toContain(`violation warning createPet request.body.staus unknown-member: ${unknown}`);
  expect(stdout).toContain('7 violations in 4 exchanges\n');
  expect(stdout).toMatch(/ 401 .* GET {2}\/v1\/pets\?limit=\[key\] /);
  for (const secret of [key, token, later]) expect(stdout + stderr).not.toContain(secret);
  // The mock has closed it.
  expect(stderr).not.toContain('the checked proxy ended');
});

test('a command gets both URLs, a key and PORT, and without --log only violations are printed', async () => {
  const program = `
    const { ANIMAL_STORE_URL, ANIMAL_STORE_CHECKED_URL, ANIMAL_STORE_API_KEY: key, PORT } = process.env;
    const ask = (url) => fetch(url, { headers: { Authorization: 'Bearer ' + key } });
    const { status } = await ask(ANIMAL_STORE_URL + '/pets');
    const checked = await ask(ANIMAL_STORE_CHECKED_URL + '/pets?limit=0');
    process.on('SIGINT', () => process.exit(7));
    setInterval(() => {}, 1000);
    console.log('answers', status, checked.status, key, PORT);`;
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const environment = {
    ...{ ANIMAL_STORE_NO_CHECKED_PROXY: '', ANIMAL_STORE_API_KEY: 'three' },
    PORT: 'of the app',
  };
  const args = ['--port', '0', '--api-key', 'one', '--api-key', 'two', ...command];
  const { child, ended, waitFor } = startCli(args, { environment });
  // The violation may be printed before or after it.
  await waitFor(/^answers 200 400 one of the app$/m);
  child.kill('SIGINT');
  const { stdout, stderr, exitCode } = await ended;
  expect(stderr).toMatch(/\nanimal-store-mock: the command ended with exit code 7\n$/);
  expect(exitCode).toBe(7);
  expect(stdout).toMatch(/ proxy violation error listPets /);
  expect(stdout).not.toMatch(/^\d\d:\d\d:\d\d mock /m);
});

test('a command trusts the authority of the certificate, as mkcert keeps it', async () => {
  const CAROOT = createFolder({ 'rootCA.pem': readFileSync(join(certificates, 'ca.pem'), 'utf8') });
  const program = `fetch(process.env.ANIMAL_STORE_URL + '/pets', {
    headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY },
  }).then(({ status, url }) => process.exit(url.startsWith('https:') && status === 200 ? 7 : 8))`;
  const argv = ['--port', '0', '--no-checked-proxy', ...tlsOptions, '--', process.execPath, '-e', program];
  expect((await callCommand('animal-store-mock', runMock, argv, { CAROOT })).exitCode).toBe(7);
});

test('if the checked port is in use, the mock runs without the proxy; --log prints requests next to a command', async () => {
  const { port } = new URL((await startTestMock()).url);
  const program = `fetch(process.env.ANIMAL_STORE_URL + '/pets', {
    headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY },
  }).then(({ status }) => process.exit(process.env.ANIMAL_STORE_CHECKED_URL === undefined ? status - 200 : 9))`;
  const options = ['--port', '0', '--checked-port', port, '--log', 'pretty'];
  const environment = { ANIMAL_STORE_CHECKED_URL: 'http://127.0.0.1:1/v1' };
  const argv = [...options, '--', process.execPath, '-e', program];
  const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, argv, environment);
  const message =
    `animal-store-mock: the mock started without the checked proxy: Port ${port} of 127.0.0.1 is in use. ` +
    'Try --checked-port 0 if the command takes its URL from a variable. --no-checked-proxy disables it.\n';
  expect(stderr).toContain(message);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/ mock {2}200 .* GET {2}\/v1\/pets$/m);
});

test('a mock that npm started ends with the shell in between, although its stdout was closed', async () => {
  const command = `"${process.execPath}" mock/bin.js --port 0; true`;
  const environment = { ANIMAL_STORE_NO_CHECKED_PROXY: 'true', npm_lifecycle_event: 'start' };
  const shell = spawn('sh', ['-c', command], { env: { ...process.env, ...environment } });
  const [line] = await once(shell.stdout, 'data');
  const url = urlIn(String(line));
  shell.stdout.destroy();
  for (let request = 0; request < 5; request += 1)
    expect((await send(url, get('/v1/pets'))).status).toBe(200);
  shell.kill('SIGKILL');
  await refusesConnections(url);
});
