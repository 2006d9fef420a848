import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MOST_ADDED, printCatalogue } from './clauses/clauses.ts';
import { CouldNotTell } from './could-not-tell.ts';
import { expectReady } from './expect-ready.ts';
import type { VerifyArguments } from './parse-verify-arguments.ts';
import { type ProvidedTarget, readTarget } from './provided-target.ts';
import { concludeAgainst, concludeReport, exitCodes, type Report } from './report.ts';
import { reporters } from './reporters/reporters.ts';

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
  for (const { file } of args.reporters) if (file !== undefined) expectWritable(file);
  const hint = await expectReady(readTarget(provided));
  process.stderr.write(`${hint === undefined ? '' : `${hint}\n`}${announce(provided)}`);
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
  if (/^Bearer\s/i.test(apiKey)) throw new CouldNotTell('the API key must be without "Bearer" before it');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CouldNotTell(
      'the API key must be printable ASCII without spaces, as an HTTP header carries it',
    );
  }
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const certificates = ca === undefined ? {} : { ca: readCertificates(ca) };
  return { ...Object.fromEntries(given), ...certificates, baseUrl, apiKey } as ProvidedTarget;
}

function readCertificates(file: string): string {
  const text = readText(file, '--ca');
  try {
    new X509Certificate(text);
    return text;
  } catch {
    throw new CouldNotTell(`--ca: ${file} has no certificate in PEM`);
  }
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

function announce(provided: ProvidedTarget): string {
  const { allowsWrites } = readTarget(provided);
  const writes = allowsWrites
    ? `adds at most ${MOST_ADDED} animals, named "contract-test …", which stay there (more if it accepts what it should refuse)`
    : 'adds nothing (--allow-writes would let it)';
  return `verifying ${provided.baseUrl}; the suite ${writes}\n`;
}

function write(text: string, file: string | undefined): void {
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}

/** Before the run, whose reports would be lost otherwise. */
function expectWritable(file: string): void {
  try {
    const isThere = existsSync(file);
    accessSync(isThere ? file : dirname(file), constants.W_OK);
    if (isThere && !statSync(file).isFile()) throw new Error('it is no file');
  } catch (error) {
    throw new CouldNotTell(`--reporter: ${file} could not be written: ${(error as Error).message}`);
  }
}
