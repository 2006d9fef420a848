import { statSync } from 'node:fs';
import { printJunit } from '../text/print-junit.ts';
import { redact } from '../text/redact.ts';
import { expectWritable, isSameFile } from './option-files.ts';
import { findGivenKeys } from './read-options.ts';
import { replaceFile } from './replace-file.ts';
import { type Call, describeStartFailure } from './run-task.ts';

/**
 * Runs a command with the option `--report`. If it cannot start, the report says why and that there is no verdict, because a CI server
 * would take the report of an earlier run for that of this one.
 */
export async function reportFailedStart(
  name: string,
  call: Pick<Call, 'argv' | 'environment'>,
  run: () => Promise<number>,
): Promise<number> {
  const file = findReport(call);
  const before = file && readTime(file);
  try {
    return await run();
  } catch (error) {
    const { message } = describeStartFailure(error);
    // If its command cannot start, a program that listens already writes all that it knows.
    if (message !== undefined && file !== undefined && readTime(file) === before)
      replaceFile(
        file,
        printNoVerdict(file, name, redact(message, findGivenKeys(call.argv, call.environment))),
      );
    throw error;
  }
}

function readTime(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Returns the file of the report, if it can be written and is no other file of the command. */
function findReport({ argv, environment }: Pick<Call, 'argv' | 'environment'>): string | undefined {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const words = own.flatMap((word) => /^(--\w[\w-]*)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const at = words.lastIndexOf('--report') + 1;
  const file = words[at];
  if (at === 0 || !file || file.startsWith('-')) return undefined;
  // A draft or a recording that is named as the report too, by mistake, must not be lost.
  const others = [...words.toSpliced(at, 1), ...Object.values(environment)];
  if (others.some((word) => word && isSameFile(word, file))) return undefined;
  try {
    expectWritable(file, '--report');
    return file;
  } catch {
    return undefined;
  }
}

function printNoVerdict(file: string, name: string, message: string): string {
  if (!/\.xml$/i.test(file)) return `${JSON.stringify({ passed: false, failure: message }, null, 2)}\n`;
  const cases = [{ name: 'no verdict', result: 'error', message }] as const;
  return printJunit({ name, startedAt: new Date(), seconds: 0, suites: [{ name: 'the run', cases }] });
}
