import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar } from '../tools/testing/create-har.ts';
import { runProxy } from './run-proxy.ts';

const base = 'http://127.0.0.1/v1';
const key = 's3cr-Configured/+8';

const folder = mkdtempSync(join(tmpdir(), 'checked-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const har = join(folder, 'traffic.har');
const broken = join(folder, 'report.json');
writeFileSync(har, printHar([createEntry()]));
// The folder can be written to, but the file cannot.
symlinkSync('/nowhere/report.json', broken);

const rows: readonly (readonly [args: readonly string[], message: string])[] = [
  [[], 'the upstream is missing'],
  [[''], 'the upstream is empty. Is the variable set?'],
  [['staging.example/v1'], 'the upstream must be a URL such as https://staging.example/v1'],
  [
    ['http://:s3cr-Glued77@staging.example/v1'],
    'the upstream must not contain credentials: leave out the part before the @\n',
  ],
  [['http://staging.example/v1?key=s3cr'], 'the upstream must not contain a query\n'],
  [['http://staging.example/v1#s3cr'], 'the upstream must not contain a fragment\n'],
  [[base, '--fail-on', 'errors'], '--fail-on must be error, warning, request-error, request-warning, '],
  [[base, '--require', 'listPets,createPets'], 'not "createPets". Did you mean createPet?'],
  [[base, '--ca', '/nowhere.pem'], '--ca: /nowhere.pem could not be read'],
  [[base, '--ca', import.meta.filename], 'holds no certificate in PEM'],
  [[base, '--report', '/nowhere/report.json'], '--report: /nowhere/report.json could not be written'],
  [[base, '--report', '/tmp'], '--report: /tmp could not be written: it is a folder'],
  [['check', '/nowhere.har'], '/nowhere.har could not be read: no such file or directory'],
  [['check', '-', '--port', '1'], "unknown option '--port'"],
  [['check', har, '--base-url', 'https://c.example/v1'], 'none is under https://c.example/v1'],
  [['check', har, '--report', '/tmp'], '--report: /tmp could not be written: it is a folder'],
  [['check', har, '--report', broken], 'the report could not be written to'],
  [[base, '--har', '-'], '--har: - is not the path of a file. Name a file.'],
  [[base, '--har', '/dev/stdout'], '--har: /dev/stdout has other output too. Name a file.'],
  [[base, '--har', '/nowhere/traffic.har'], '--har: /nowhere/traffic.har could not be written: no such file'],
  // No message repeats a key.
  [[base, '--port', key], '--port must be an integer'],
  [[base, '--report', `/nowhere/${key}`], 'could not be written'],
  [[base, '--host', `${key}.invalid`], '--host'],
  [[base, '--ca', key], '--ca'],
  [[base, key], 'too many arguments'],
];

test.for(rows)('%j ends it in one line without keys and with 2', async ([args, message]) => {
  const environment = { ANIMAL_STORE_API_KEY: `another-key ${key}` };
  const result = await callCommand('animal-store-proxy', runProxy, args, environment);
  expect([result.stdout !== '', result.exitCode]).toEqual([args.includes(broken), 2]);
  expect(result.stderr).toMatch(/^animal-store-proxy: [^\n]+\n$/);
  expect(result.stderr).toContain(message);
  expect(result.stderr).not.toMatch(/s3cr|Configured|Glued/i);
});

test.for(['error', 'never'])(
  'if the command cannot be started, neither report passes, and both say why: --fail-on %s',
  async (failOn) => {
    // Only a shell takes the first word for a variable.
    const words = [`API_KEY=${key}`, 'npm', 'test'];
    const run = async (report: string) => {
      // There is no earlier report in XML.
      const earlier = { 'failed.json': 'of an earlier run', 'recorded.har': 'of an earlier run' };
      const own = createFolder({ ...earlier, 'summary.md': '' });
      const names = [report, 'summary.md', 'recorded.har'];
      const [file = '', summary = '', recorded = ''] = names.map((name) => join(own, name));
      const gate = ['--fail-on', failOn, '--require', 'listPets', '--report', file];
      const options = ['--port', '0', ...gate, '--har', recorded];
      const environment = { ANIMAL_STORE_API_KEY: key, GITHUB_STEP_SUMMARY: summary };
      const args = [base, ...options, '--', ...words];
      const ended = await callCommand('animal-store-proxy', runProxy, args, environment);
      expect(readFileSync(recorded, 'utf8')).toBe('of an earlier run');
      return { ...ended, report: readFileSync(file, 'utf8'), summary: readFileSync(summary, 'utf8') };
    };
    const reason = 'the command "API_KEY=[key]" could not be started: there is no such program';
    const json = await run('failed.json');
    expect(JSON.parse(json.report)).toMatchObject({ passed: false, commandFailure: reason });
    expect(json.exitCode).toBe(2);
    expect(json.stderr).toContain(`\nanimal-store-proxy: ${reason}\n`);
    expect(json.stdout).toContain(`\nNo verdict: ${reason}.\n`);
    expect(json.summary).toContain('\nNo verdict: the command ');
    const junit = await run('failed.xml');
    expect(junit.report).toMatch(/<testsuites [^>]* failures="0" errors="1"/);
    expect(junit.report).toContain(`<error message="No verdict: ${reason.replaceAll('"', '&quot;')}."/>`);
    for (const { stdout, stderr, report, summary } of [json, junit])
      expect(stdout + stderr + report + summary).not.toMatch(/s3cr|Configured|Failed: /i);
  },
);
