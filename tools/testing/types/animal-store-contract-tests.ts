import type { Report, TestFunctions, Verdict, VerifyOptions } from 'animal-store-contract-tests';
import { CouldNotTell, describeConformance, UsageError, verifyDeployment } from 'animal-store-contract-tests';

const options: VerifyOptions = {
  baseUrl: 'https://staging.example/v1',
  apiKey: 'test-key',
  allowWrites: true,
  categoryId: 2n ** 60n,
  only: ['list-pets'],
  signal: AbortSignal.timeout(1_000),
  onResult: ({ verdict }, { requests }) => void [verdict, requests],
};
const report: Report = await verifyDeployment(options);
const verdict: Verdict = report.verdict;
export const isGood: boolean = verdict === 'conforms' && report.tested === report.required;
export const headings: string[] = report.outcomes.map(({ clause }) => clause.heading);
export const errors: Error[] = [new CouldNotTell('why'), new UsageError('wrong')];

const functions: TestFunctions = { describe: (_name, declare) => declare(), test: (_name, run) => run() };
const readOnly = { baseUrl: async () => options.baseUrl, apiKey: 'test-key', allowWrites: false };
describeConformance(readOnly, functions);

// What a user may get wrong.
// @ts-expect-error the key is missing
verifyDeployment({ baseUrl: options.baseUrl, allowWrites: false });
// @ts-expect-error allowWrites is missing
verifyDeployment({ baseUrl: options.baseUrl, apiKey: 'test-key' });
// @ts-expect-error no such option
verifyDeployment({ ...options, allowWrite: true });
// @ts-expect-error no such verdict
export const isBad: boolean = verdict === 'broken';
