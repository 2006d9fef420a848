import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type CurlRequest, printCurl, printTrust, quoteForShell } from './print-curl.ts';

const url = 'http://a.test/v1/pets';
const odd = `${url}?##[error]`;
const secret = quoteForShell('X: a"b!$c k', [['k', '$KEY']]);
const command = quoteForShell('Z: ##[error]k ##vso[x]', [['k', '$KEY']]);

test.for<[Partial<CurlRequest>, string[]]>([
  [{}, [url]],
  [{ method: 'HEAD', options: ['-i'] }, ['-i', '--head', url]],
  [{ method: 'PUT', body: "it's\n\u0001\\" }, ['-X', 'PUT', '--data-raw', "it's\n\u0001\\", url]],
  [{ method: 'POST', body: '\0' }, ['--data-binary', '@body', url]],
  [{ headers: [secret, quoteForShell('Y: \u0085')] }, ['-H', 'X: a"b!$c 42', '-H', 'Y: \u0085', url]],
  [{ method: 'POST', body: '\u00ad\u{e0041}' }, ['--data-raw', '\u00ad\u{e0041}', url]],
  [{ headers: [command], url: odd }, ['-H', 'Z: ##[error]42 ##vso[x]', '--globoff', odd]],
  [{ url: `${url}/..?limit=1` }, ['--path-as-is', `${url}/..?limit=1`]],
  [{ url: `${url}/../{a}` }, ['--globoff', '--path-as-is', `${url}/../{a}`]],
])('%j is what the shell reads', ([told, expected]) => {
  const printed = printCurl({ method: 'GET', url, headers: [], ...told });
  const script = `curl() { printf '%s\\0' "$@"; }; KEY=42; ${printed}`;
  expect(printed).not.toMatch(/##\w*\[/);
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const output = execFileSync('bash', ['-c', script], { encoding: 'utf8', env });
  expect(output.split('\0').slice(0, -1)).toEqual(expected);
});

test('curl gets the authority, the certificate and the key of a run, each by its own option', () => {
  const files = { clientCert: 'own.pem', clientKey: "own's key.pem" };
  const own = ['--cert', "'own.pem'", '--key', quoteForShell("own's key.pem")];
  expect(printTrust({ ca: 'ca.pem', ...files })).toEqual(['--cacert', "'ca.pem'", ...own]);
  // Without a check of the server, its authority is not read.
  expect(printTrust({ ca: 'ca.pem', insecure: true, ...files })).toEqual(['-k', ...own]);
});
