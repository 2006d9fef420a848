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
  const file = findReports(call, '--report').at(-1);
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

/**
 * Finds the values of an option for reports on a command line that could not be read as a whole. It leaves out a value whose file
 * cannot be written, or is named by another word or variable too: the report would replace a draft or a recording.
 */
export function findReports(
  { argv, environment }: Pick<Call, 'argv' | 'environment'>,
  option: string,
  fileOf: (value: string) => string | undefined = (value) => value,
): string[] {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const words = own.flatMap((word) => /^(--\w[\w-]*)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  return words.flatMap((value, at) => {
    if (words[at - 1] !== option || /^(?:-|$)/.test(value)) return [];
    const file = fileOf(value);
    const others = [...words.toSpliced(at, 1), ...Object.values(environment)].flatMap(listEnds);
    const isNamedTwice = others.some((other) => file && other && isSameFile(other, file));
    return isNamedTwice || (file !== undefined && !isWritable(file, option)) ? [] : [value];
  });
}

/** Lists a word, and what follows each equals sign in it, which may be the file of an option. */
function listEnds(word = ''): readonly string[] {
  const parts = word.split('=');
  return parts.map((_, index) => parts.slice(index).join('='));
}

function isWritable(file: string, option: string): boolean {
  try {
    expectWritable(file, option);
    return true;
  } catch {
    return false;
  }
}

function printNoVerdict(file: string, name: string, message: string): string {
  if (!/\.xml$/i.test(file)) return `${JSON.stringify({ passed: false, failure: message }, null, 2)}\n`;
  const cases = [{ name: 'no verdict', result: 'error', message }] as const;
  return printJunit({ name, startedAt: new Date(), seconds: 0, suites: [{ name: 'the run', cases }] });
}
