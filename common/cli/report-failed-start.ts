import { rmSync, statSync } from 'node:fs';
import { printJunit } from '../text/print-junit.ts';
import { redact } from '../text/redact.ts';
import { expectWritable, isSameFile } from './option-files.ts';
import { type CommandSpec, variablesOf } from './options.ts';
import { findGivenKeys } from './read-options.ts';
import { replaceFile } from './replace-file.ts';
import { type Call, describeStartFailure } from './run-task.ts';

/**
 * Runs a command with the option `--report`. Until it writes its report, or if it cannot start, an earlier report says that there is no
 * verdict, because a CI server would take it for that of this run.
 */
export async function reportFailedStart(
  command: CommandSpec,
  call: Pick<Call, 'argv' | 'environment'>,
  run: () => Promise<number>,
): Promise<number> {
  const { argv, environment } = call;
  const [file] = findReports(call, '--report', { variables: variablesOf(command, 'report'), isOne: true });
  if (file === undefined) return run();
  const write = (reason: string) => replaceFile(file, printNoVerdict(file, command.name, reason));
  if (!ownWords(argv).some((word) => isQuestion.test(word))) replaceEarlier(file, () => write(NOT_ENDED));
  const before = readTime(file);
  try {
    return await run();
  } catch (error) {
    const { message } = describeStartFailure(error);
    // If its command cannot start, a program that listens already writes all that it knows.
    if (message !== undefined && readTime(file) === before)
      tryTo(() => write(redact(message, findGivenKeys(argv, environment))));
    throw error;
  }
}

/** Options that only print something. */
const isQuestion = /^(?:-h|--help|--help-all|-v|--version)$/;

/** Why there is no verdict in a report until a run writes its own. */
export const NOT_ENDED = 'The run has not ended.';

/** Replaces the report of an earlier run, if there is one, or removes it where the disk is full: it would pass for that of this run. */
export function replaceEarlier(file: string, replace: () => void): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  try {
    replace();
  } catch {
    tryTo(() => rmSync(file));
  }
}

/** What cannot be written must not hide why a run could not start. */
function tryTo(write: () => void): void {
  try {
    write();
  } catch {}
}

function readTime(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

interface Finding {
  /** Variables that the command reads the option from. @default none */
  readonly variables?: readonly string[];
  /** Finds the file in a value. @default the value */
  readonly fileOf?: (value: string) => string | undefined;
  /** True if only the last value counts. @default false */
  readonly isOne?: boolean;
}

/**
 * Finds the values of an option for reports in a call that could not be read as a whole: first that of its variable. It leaves out a
 * value whose file cannot be written, or is named by another word or option too: the report would replace a draft or a recording.
 */
export function findReports(
  { argv, environment }: Pick<Call, 'argv' | 'environment'>,
  option: string,
  { variables = [], fileOf = (value) => value, isOne = false }: Finding = {},
): string[] {
  const words = ownWords(argv).flatMap((word) => /^(--\w[\w-]*)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const isValue = (_: string, at: number) => words[at - 1] === option;
  const ofOthers = Object.keys(environment).filter(
    (name) => /^ANIMAL_STORE_/.test(name) && !variables.includes(name),
  );
  const others = [
    ...words.filter((word, at) => !isValue(word, at)),
    ...ofOthers.map((name) => environment[name]),
  ].flatMap(listEnds);
  const given = variables.flatMap((name) => environment[name] || []);
  const values = [...given, ...words.filter(isValue)].slice(isOne ? -1 : 0);
  return values.filter((value) => {
    if (/^(?:-|$)/.test(value)) return false;
    const file = fileOf(value);
    if (file === undefined) return true;
    return isWritable(file, option) && !others.some((other) => other && isSameFile(other, file));
  });
}

/** Returns the words before those of a command to run. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
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
