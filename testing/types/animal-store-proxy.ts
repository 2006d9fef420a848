import {
  type CheckedProxy,
  type CheckedProxyOptions,
  type Finding,
  type Findings,
  type LogFormat,
  type Sighting,
  startCheckedProxy,
} from 'animal-store-proxy';

const log: LogFormat = 'json';
const options: CheckedProxyOptions = {
  upstream: 'https://staging.example/v1',
  log,
  write: (line: string) => void line.trim(),
  onViolation: ({ target }: Sighting) => void target.trim(),
  apiKeys: ['test-key'],
  errors: true,
  timeout: 1_000,
};
const proxy: CheckedProxy = await startCheckedProxy(options);
const findings: Findings = proxy.readFindings();
const finding: Finding | undefined = findings.violations[0];
const severity: 'error' | 'warning' | undefined = finding?.severity;
const closed: Promise<void> = proxy.close();

// What a user may get wrong.
// @ts-expect-error the upstream is missing
startCheckedProxy({ port: 0 });
// @ts-expect-error no such format
startCheckedProxy({ upstream: proxy.url, log: 'loud' });
// @ts-expect-error what was found is not to be changed
findings.violations.push();

export { closed, severity };
