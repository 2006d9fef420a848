import { readFileSync, writeFileSync } from 'node:fs';
import { catalogue } from './catalogue.ts';
import { MOST_ADDED } from './checks/checks.ts';
import { createClient } from './client.ts';
import type { Exchange } from './exchange.ts';
import { leftOpen } from './left-open.ts';
import type { VerifyArguments } from './parse-verify-arguments.ts';
import { type ProvidedTarget, readTarget } from './provided-target.ts';
import { concludeAgainst, concludeReport, exitCodes, type Report } from './report.ts';
import { reporters } from './reporters/reporters.ts';
import { Untried } from './verdict.ts';

/** Why nothing could be told; the message is one sentence. */
export class CouldNotTell extends Error {
  override readonly name = 'CouldNotTell';
}

/**
 * Verifies a deployment as the command line says, and writes the reports.
 *
 * @param apiKey from the environment.
 * @returns the exit code: 0 conforms, 1 does not, 2 could not tell.
 * @throws CouldNotTell
 */
export async function verify(args: VerifyArguments, apiKey: string | undefined): Promise<number> {
  if (args.list) {
    process.stdout.write(printCatalogue());
    return 0;
  }
  const provided = toProvidedTarget(args, apiKey);
  const baseline = args.baseline === undefined ? undefined : readBaseline(args.baseline);
  await expectReady(provided);
  process.stderr.write(announce(provided));
  // Vitest takes longer to load than to list the clauses or to find that nobody answers.
  const { runVitest } = await import('./run-vitest.ts');
  const report = await runVitest(provided);
  for (const { name, file } of args.reporters) write(reporters[name]?.(report) ?? '', file);
  if (baseline === undefined) return exitCodes[concludeReport(report)];
  const { conclusion, worse } = concludeAgainst(report, baseline);
  const what = worse.length === 0 ? 'nothing is worse' : `worse: ${worse.join(', ')}`;
  process.stderr.write(`beside the baseline of ${baseline.startedAt}: ${what}\n`);
  return exitCodes[conclusion];
}

function printCatalogue(): string {
  const headings = [...new Set(catalogue.map(({ heading }) => heading))];
  const sections = headings.map((heading) => {
    const clauses = catalogue.filter((clause) => clause.heading === heading);
    const lines = clauses.map(({ id, level, sentence }) => {
      const note = level === 'advised' ? ' (advised)' : '';
      return `  ${id.padEnd(36)} ${sentence}${note}\n`;
    });
    const open = leftOpen
      .filter((point) => point.heading === heading)
      .map(({ question, tolerated }) => `  left open: ${question}; tolerated: ${tolerated}\n`);
    return `${heading}\n${[...lines, ...open].join('')}`;
  });
  return sections.join('\n');
}

function toProvidedTarget(args: VerifyArguments, apiKeyOfEnvironment: string | undefined): ProvidedTarget {
  const {
    baseUrl = '',
    apiKey = apiKeyOfEnvironment,
    ca,
    list: _,
    reporters: __,
    baseline: ___,
    ...others
  } = args;
  if (apiKey === undefined || apiKey === '') {
    throw new CouldNotTell('an API key is needed: --api-key, or ANIMAL_STORE_API_KEY in the environment');
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CouldNotTell(
      'the API key must be printable ASCII without spaces, as an HTTP header carries it',
    );
  }
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const certificates = ca === undefined ? {} : { ca: readText(ca, '--ca') };
  return { ...Object.fromEntries(given), ...certificates, baseUrl, apiKey } as ProvidedTarget;
}

function readBaseline(file: string): Report {
  try {
    const report = JSON.parse(readText(file, '--baseline')) as Report;
    concludeReport(report);
    return report;
  } catch (error) {
    if (error instanceof CouldNotTell) throw error;
    throw new CouldNotTell(`--baseline: ${file} is no report as --reporter json writes it`);
  }
}

function readText(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CouldNotTell(`${option}: ${file} could not be read: ${(error as Error).message}`);
  }
}

async function askForList(provided: ProvidedTarget): Promise<Exchange> {
  try {
    return await createClient(readTarget(provided)).send({ path: '/pets' });
  } catch (error) {
    if (error instanceof Untried) throw new CouldNotTell(error.message);
    throw error;
  }
}

/** Without an answer, or with a key that is refused, every clause would fail and none would tell anything. */
async function expectReady(provided: ProvidedTarget): Promise<void> {
  const { response, failure } = await askForList(provided);
  if (response === undefined) throw new CouldNotTell(`${provided.baseUrl} cannot be reached: ${failure}`);
  if (response.status === 401) {
    throw new CouldNotTell(`${provided.baseUrl} refuses the API key: GET /pets with it is answered 401`);
  }
  if (response.status === 403) {
    throw new CouldNotTell(
      `${provided.baseUrl} refuses GET /pets with 403: does a gateway want a header (--header), or is the key not for this?`,
    );
  }
}

function announce(provided: ProvidedTarget): string {
  const { allowsWrites } = readTarget(provided);
  const writes = allowsWrites
    ? `adds at most ${MOST_ADDED} animals, named "contract-test …", which stay there (more if it accepts what it should refuse)`
    : 'adds nothing (--allow-writes would let it)';
  return `verifying ${provided.baseUrl}; the suite ${writes}\n`;
}

function write(text: string, file: string | undefined): void {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CouldNotTell(`the report could not be written: ${(error as Error).message}`);
  }
}
