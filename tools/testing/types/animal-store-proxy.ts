import {
  type CheckedProxyOptions,
  type ExchangeSummary,
  type Finding,
  type Findings,
  startCheckedProxy,
  type Violation,
} from 'animal-store-proxy';

const options: CheckedProxyOptions = {
  upstream: 'https://staging.example/v1',
  log: 'json',
  apiKeys: ['test-key'],
  block: true,
  write: (line: string) => void line.trim(),
  onViolation: ({ rule, received = 'nothing' }, { target }) => void [rule, received, target].join(),
};
const proxy = await startCheckedProxy(options);
const findings: Findings = proxy.readFindings();
const finding: Finding | undefined = findings.violations[0];
const violation: Violation | undefined = finding;
export const severity: 'error' | 'warning' | undefined = violation?.severity;
export const printTarget = ({ method, target }: ExchangeSummary): string => `${method} ${target}`;
export const closed: Promise<void> = proxy.close();

// What a user may get wrong.
// @ts-expect-error the upstream is missing
startCheckedProxy({ port: 0 });
// @ts-expect-error no such format
startCheckedProxy({ upstream: proxy.url, log: 'loud' });
// @ts-expect-error the findings are not to be changed
findings.violations.push();
