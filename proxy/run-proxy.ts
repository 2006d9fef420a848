import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { contractFile } from '../common/contract-file.ts';
import { createBatchedWrite } from '../common/create-batched-write.ts';
import type { Program } from '../common/run-program.ts';
import { UsageError } from '../common/usage-error.ts';
import { isGateBroken } from './findings/fail-on.ts';
import { printFindings } from './findings/print-findings.ts';
import { printReport } from './findings/print-report.ts';
import { type ProxyArguments, parseProxyArguments } from './options.ts';
import { startLoggedProxy } from './start-logged-proxy.ts';

/** Starts the checked proxy as the command line says; at its end it tells what it found, and judges the gate. */
export async function runProxy(argv: readonly string[]): Promise<Program> {
  const { ca, failOn, report, ...options } = parseProxyArguments(argv);
  if (report !== undefined) expectWritable(report);
  const write = createBatchedWrite(process.stdout);
  const certificates = ca === undefined ? undefined : readCertificates(ca);
  const startedAt = new Date();
  const proxy = await startLoggedProxy(contractFile, { ...options, ca: certificates, apiKeys: [] }, write);
  return {
    announcement: announce(proxy.url, { failOn, report, ...options }),
    close: async () => {
      await proxy.close();
      const findings = proxy.readFindings();
      write(printFindings(findings, failOn));
      const subject = { upstream: options.upstream.href, startedAt, endedAt: new Date(), failOn };
      const isReported = report === undefined || writeReport(report, printReport(report, findings, subject));
      return isReported && !isGateBroken(findings, failOn) ? 0 : 1;
    },
  };
}

function announce(url: string, { upstream, failOn, report }: Omit<ProxyArguments, 'ca'>): string {
  const lines = [
    `checked proxy listening on ${url}`,
    `upstream: ${upstream.href}`,
    ...(failOn === 'never' ? [] : [`gate: it ends with exit code 1 if there was ${inWords(failOn)}`]),
    ...(report === undefined ? [] : [`report: ${report}, written at the end`]),
  ];
  return `${lines.join('\n')}\n`;
}

function inWords(failOn: 'error' | 'warning'): string {
  return failOn === 'error' ? 'an error' : 'an error or a warning';
}

function readCertificates(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    throw new UsageError(`--ca: ${file} could not be read: ${(error as Error).message}`);
  }
  throw new UsageError(`--ca: ${file} holds no certificate in PEM`);
}

/** What cannot be written is better known before the run than after it; a report of an earlier run stays until then. */
function expectWritable(file: string): void {
  const failure = `--report: ${file} could not be written`;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${failure}: it is a folder`);
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new UsageError(`${failure}: ${(error as Error).message}`);
  }
}

/** @returns whether it was written. */
function writeReport(file: string, text: string): boolean {
  try {
    writeFileSync(file, text);
    return true;
  } catch (error) {
    process.stderr.write(
      `animal-store-proxy: the report could not be written: ${(error as Error).message}\n`,
    );
    return false;
  }
}
