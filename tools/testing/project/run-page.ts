import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createEntry, printHar } from '../create-har.ts';

/** Commands that need Docker, a download, a terminal, another tool or the clone. */
const SKIPPED =
  /^(?:docker|mkcert|git |npm |npx vite$|npx msw|\.\/animal-store |npx playwright|npx jest$|npx vitest run -- |ANIMAL_STORE_(?:ADMIN_TOKEN|URL)=|curl .*(?::5173|\/sessions\/ann\/))|jest\.js|playwright test/;

const api = 'https://api.example/v1/pets';
const invalid = '{"code":"invalid_request","message":"limit must be an integer.","status":400}';
const recorded = (second: number, url: string, answered: string, status = 200) => {
  const entry = { startedDateTime: `2026-05-04T09:30:0${second}.120Z` };
  return createEntry({ url, answered, status, headers: {}, entry });
};
const traffic = printHar([
  recorded(0, 'https://shop.example/', '<html>'),
  recorded(1, `${api}?limit=2`, '[]'),
  recorded(2, `${api}?limit=500`, invalid, 400),
  recorded(7, `${api}?status=sold`, '[{"id":"119","name":"Lucy","categoryId":5,"status":"sold"}]'),
]);

/** Base URLs of the deployments that the pages name. */
const DEPLOYMENT = /https:\/\/(?:staging|api)\.example\/v1/g;

/** What `npm init -y` writes: in such a project, a `.js` or `.ts` file that Node runs has no imports. */
const userPackage = {
  name: 'user',
  version: '1.0.0',
  main: 'index.js',
  license: 'ISC',
  type: 'commonjs',
  scripts: { test: 'vitest run', e2e: 'node e2e.mjs' },
};

/** The tests of the user, unless the page has some. */
const userTests = `const headers = { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` };
await fetch(\`\${process.env.ANIMAL_STORE_URL}/pets\`, { headers });`;

/** Replaces the parts of an output that differ from run to run. */
const mask = (text: string) =>
  stripVTControlCharacters(text)
    .replaceAll('\r', '')
    // A page for the mock alone does not have it.
    .replaceAll(' (the checked proxy below shows violations)', '')
    // A machine has other addresses, and more or fewer of them.
    .replaceAll(/(?:^network: .*\n)+/gm, 'network: ·\n')
    .replaceAll(/(?<=127\.0\.0\.1|0\.0\.0\.0|localhost):\d+/g, ':…')
    .replaceAll(/token=\S+|\b\d\d:\d\d:\d\d\b|[\d.]+ m?s\b|\d+ (?:requests|animals added)/g, '·')
    .trim();

/** A block of a page, which may be indented, and the output that follows a block of commands. */
const BLOCK =
  /^(?<indent> *)```(?<language>\w+)\n(?<block>.*?)^ *```(?:\n\n *```text\n(?<output>.*?)^ *```)?/gms;

/** The folder of the commands is in the PATH, so that they start without npx. */
const withoutNpx = (command: string) => command.replaceAll(/npx (?:--no -- )?/g, '');

/**
 * Writes the files of a Markdown page into a folder and runs its commands there, one after the other.
 * @param bin the folder of the commands.
 * @param staging base URL of the deployment that the page calls https://staging.example/v1 or https://api.example/v1.
 * @returns for each block whose output is not the one on the page, or that shows none and fails, the commands and the output.
 */
export async function runPage(page: string, cwd: string, bin: string, staging: string): Promise<string[]> {
  const problems: string[] = [];
  const servers: ChildProcess[] = [];
  const ports = new Map<string, string>();
  const files = new Map<string, string>();
  // What the page calls the deployment, also in a command that reads a report of it.
  let shown = 'https://staging.example/v1';
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(userPackage));
  writeFileSync(join(cwd, 'traffic.har'), traffic);
  writeFileSync(join(cwd, 'e2e.mjs'), userTests);
  for (const { groups = {} } of page.matchAll(BLOCK)) {
    const { indent = '', language, block = '', output = '' } = groups;
    const outdent = (lines: string) => lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const text = outdent(block);
    if (language !== 'sh') {
      const [, name] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text) ?? [];
      if (name !== undefined) files.set(join(cwd, name), text);
      continue;
    }
    const commands = text.trimEnd().split('\n');
    if (commands.some((command) => SKIPPED.test(command))) continue;
    let actual = '';
    let hasFailed = false;
    for (const command of commands) {
      if (command.startsWith('curl') && ports.size === 0) await run('animal-store-mock', true);
      const plain = withoutNpx(command);
      const isServer =
        /^npm start|^animal-store-(?:mock(?! --version| learn | compare )|proxy (?!check))/.test(plain) &&
        !plain.includes(' -- ');
      const { printed, exitCode } = await run(command, isServer);
      actual += printed;
      hasFailed ||= exitCode !== 0;
    }
    const pattern = mask(outdent(output)).split('…').map(RegExp.escape).join('.*');
    const isAsShown = output === '' ? !hasFailed : new RegExp(`${pattern}`, 's').test(mask(actual));
    if (!isAsShown) problems.push(`${text}${actual}`);
  }
  for (const server of servers) process.kill(-(server.pid ?? 0), 'SIGTERM');
  return problems;

  async function run(command: string, isServer: boolean) {
    const toPorts = (text: string) => text.replaceAll(/(?<=127\.0\.0\.1:)\d+/g, (n) => ports.get(n) ?? n);
    for (const [file, text] of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, toPorts(text).replaceAll(DEPLOYMENT, staging));
    }
    const line = withoutNpx(toPorts(command))
      .replace('npm start', 'animal-store-mock')
      .replace(' --max-rate 10', '')
      // Another process may use it.
      .replace(/ --port 4010$/, '')
      .replaceAll(DEPLOYMENT, command.includes('check ') ? '$&' : staging)
      .replace(/^animal-store-proxy (?!check)/, '$&--port 0 ');
    const key = line.includes('animal-store-mock') ? {} : { ANIMAL_STORE_API_KEY: 'test-key' };
    const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
    // In CI no address of a console is printed.
    const here = { CI: '', GITHUB_STEP_SUMMARY: '' };
    const quiet = { ...here, NO_COLOR: '1', ANIMAL_STORE_PORT: '0', npm_config_loglevel: 'error' };
    const options = { cwd, env: { ...process.env, ...quiet, ...key, PATH }, detached: true };
    const child = spawn('bash', ['-c', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of line.startsWith('curl') ? [child.stdout] : [child.stdout, child.stderr])
      stream.on('data', (chunk) => (printed += chunk));
    const ended = once(child, 'close');
    if (isServer) {
      servers.push(child);
      while (child.exitCode === null && !/^try: |^console: /m.test(printed)) await once(child.stdout, 'data');
      while (line.includes('animal-store-mock') && !/^checked proxy /m.test(printed))
        await once(child.stdout, 'data');
      const listening = /^(animal-store-mock|checked proxy) listening on \S+?:(\d+)/gm;
      for (const [, name, port = ''] of printed.matchAll(listening))
        ports.set(name === 'checked proxy' ? '4011' : '4010', port);
    } else await ended;
    [shown] = /https:\/\/\w+\.example\/v1/.exec(command) ?? [shown];
    return { printed: printed.replaceAll(staging, shown), exitCode: child.exitCode ?? 0 };
  }
}
