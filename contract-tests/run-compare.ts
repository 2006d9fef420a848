import { commandName } from '../common/cli/command-name.ts';
import { isAgent } from '../common/cli/is-agent.ts';
import { readOptionFile } from '../common/cli/option-files.ts';
import { type CommandSpec, option } from '../common/cli/options.ts';
import { readOptions } from '../common/cli/read-options.ts';
import type { Call } from '../common/cli/run-task.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { file } from '../common/schemas.ts';
import { toHarmless } from '../common/text/harmless-text.ts';
import { suiteVersion } from './client/target.ts';
import { compareReports, isWorse, printComparison } from './compare-reports.ts';
import { REPORT_VERSION, type Report } from './runner/report.ts';

/** The command that compares two reports. */
export const compareCommand = {
  name: `${commandName('verify')} compare`,
  description: 'Shows what has changed from one run to the next.',
  example: 'npm run verify -- compare yesterday.json today.json',
  notes: {
    'Exit codes': [
      '0  no new failure, no clause is no longer tested, and most animals are there',
      '1  a new failure, a required clause is no longer tested, or most animals are gone',
      '2  wrong option or file, or the wrong order',
    ],
  },
  options: {
    first: option('<first report>', 'JSON report of the earlier run', { schema: file, isRequired: true }),
    second: option('<second report>', 'JSON report of the later run', { schema: file, isRequired: true }),
  },
} satisfies CommandSpec;

/** Prints what has changed from one report to the next. @returns the exit code. @throws UsageError for a file that is no report, and for the wrong order */
export async function runCompare({ argv, environment }: Omit<Call, 'endSoon'>): Promise<number> {
  const given = readOptions(compareCommand, argv, { environment, version: suiteVersion });
  const [first, second] = [await readReport(given.first), await readReport(given.second)];
  if (first.baseUrl === second.baseUrl && first.startedAt > second.startedAt)
    throw new UsageError(
      `${given.first} is of a later run than ${given.second}: ${first.startedAt}, and ${second.startedAt}. Give the report of the earlier run first.`,
    );
  const comparison = compareReports(first, second);
  const text = printComparison(first, second, comparison, isAgent(environment));
  process.stdout.write(toHarmless(text));
  return Number(isWorse(comparison));
}

type Members = Readonly<Record<string, unknown>>;

/** The other files that somebody may take for a report, by a member that only they have. */
const others: Readonly<Record<string, string>> = {
  log: 'a HAR file',
  violations: 'a report of the proxy',
  behaviour: 'a learned behaviour',
  openapi: 'a contract',
};

async function readReport(path: string): Promise<Report> {
  const text = await readOptionFile(path);
  const fail = (kind: string) => {
    throw new UsageError(
      `${path} is ${kind}, and no JSON report of the suite. A run writes one with --reporter json=<file>.`,
    );
  };
  const value = parse(text) ?? fail(text.trimStart().startsWith('<') ? 'XML or HTML' : 'no JSON');
  const found = Object.keys(others).find((name) => name in value);
  if (found !== undefined) fail(`${others[found]}`);
  if (!Array.isArray(value.outcomes)) fail('another file');
  if (value.version !== REPORT_VERSION) fail(`of version ${value.version} of the format`);
  return value as unknown as Report;
}

/** Returns undefined for what is no object in JSON. */
function parse(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
