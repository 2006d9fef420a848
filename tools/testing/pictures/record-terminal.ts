import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { printRecording, type Scene, type TerminalLine } from './print-recording.ts';

const root = join(import.meta.dirname, '../../..');

/** A program that stands in for the tests of an app. */
const tests = `const { ANIMAL_STORE_URL: url, ANIMAL_STORE_API_KEY: key } = process.env;
await fetch(\`\${url}/pets?limit=500\`, { headers: { Authorization: \`Bearer \${key}\` } });
console.log('✓ shows the animals');`;

/** In seconds. */
const SECONDS_OF_START = 5;
const SECONDS_OF_GATE = 7;

/** Records a terminal in which a mock starts, a call breaks the contract, and the gate fails. Each line is what the commands print. */
export async function recordTerminal(file: string): Promise<void> {
  await using created = await mkdtempDisposable(join(tmpdir(), 'animal-store-recording-'));
  const folder = created.path;
  writeFileSync(join(folder, 'app.test.mjs'), tests);
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"node app.test.mjs"}}');
  const scenes: Scene[] = [
    { lines: await recordStart(folder), seconds: SECONDS_OF_START },
    { lines: await recordGate(folder), seconds: SECONDS_OF_GATE },
  ];
  writeFileSync(file, printRecording(scenes));
}

const command = (text: string): TerminalLine => ({ text: `$ ${text}`, kind: 'command' });

/** Marks the lines that say what failed. */
function toLines(output: string): TerminalLine[] {
  return stripVTControlCharacters(output)
    .trimEnd()
    .split('\n')
    .map((text) => ({ text, kind: /violation error|^Failed|"status":4/.test(text) ? 'failure' : 'output' }));
}

function start(folder: string, words: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1', CI: '', GITHUB_STEP_SUMMARY: '' };
  const child = spawn(process.execPath, [join(root, 'mock/bin.js'), ...words], { cwd: folder, env });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output.text += part;
    });
  const waitFor = async (pattern: RegExp) => {
    while (!pattern.test(output.text)) await once(child.stdout, 'data');
  };
  return { child, output, waitFor };
}

async function recordStart(folder: string): Promise<TerminalLine[]> {
  const { child, output, waitFor } = start(folder, ['--port', '0']);
  await waitFor(/^checked proxy listening on /m);
  const printed = output.text;
  const [, proxy = ''] = /checked proxy listening on (\S+)/.exec(printed) ?? [];
  const headers = { Authorization: 'Bearer test-key' };
  const response = await fetch(`${proxy}/pets?limit=500`, { headers });
  const body = await response.text();
  await waitFor(/ violation error /);
  const logged = output.text.slice(printed.length);
  // Any port is free here; a user has the usual ones.
  const [port = '', checkedPort = ''] = [...printed.matchAll(/listening on \S+:(\d+)/g)].map(
    ([, one]) => one,
  );
  const withPorts = (text: string) => text.replaceAll(port, '4010').replaceAll(checkedPort, '4011');
  child.kill('SIGTERM');
  await once(child, 'exit');
  return [
    command('npx --no -- animal-store-mock &'),
    ...toLines(withPorts(printed)),
    command(`curl -H "Authorization: Bearer test-key" "${withPorts(proxy)}/pets?limit=500"`),
    ...toLines(body),
    ...toLines(withPorts(logged)),
  ];
}

async function recordGate(folder: string): Promise<TerminalLine[]> {
  const { child, output } = start(folder, [
    '--port',
    '0',
    '--fail-on',
    'error',
    '--',
    'node',
    'app.test.mjs',
  ]);
  await once(child, 'close');
  const isShown = ({ text }: TerminalLine) => !/^(?:try|console|API key|animals|violations have)/.test(text);
  const call = command('npx --no -- animal-store-mock --fail-on error -- npm --silent test');
  return [
    call,
    ...toLines(output.text).filter(isShown),
    { text: `exit code ${child.exitCode}`, kind: 'failure' },
  ];
}
