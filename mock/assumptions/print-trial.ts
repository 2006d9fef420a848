import { isExecutable } from '../../common/cli/command-name.ts';
import { isNpmScript } from '../../common/cli/environment.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { inWords } from '../../common/text/in-words.ts';
import { quoteForShell } from '../../common/text/print-curl.ts';
import { nameInWords, printValue } from '../choices/choices.ts';
import { mockCommand } from '../options.ts';
import type { FailedTests } from './find-failed-tests.ts';
import { printValues } from './print-values.ts';
import type { ChoiceCause, Trial, ValueCause } from './try-behaviours.ts';

/** Number of tests, and of lines of output, that are printed for a choice. */
const MOST_SHOWN = 3;

/** Prints what was found. For a coding agent, each value that breaks the command is a line of JSON. */
export function printTrial(trial: Trial, forAgent = false): string {
  const { given, command, runs, causes, passed, neverActed, unstable, untested } = trial;
  const print = (words: readonly string[]) =>
    words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
  const name = print(command);
  const [first] = causes.flatMap(({ choice, values }) => values.map(({ value }) => ({ [choice]: value })));
  const options = given.length > 0 ? ` ${print(given)}` : '';
  const lines = [
    first === undefined
      ? describePass(name, trial)
      : `${name} passes with the default behaviour, and breaks with other values:`,
    ...causes.flatMap(forAgent ? printLines : printCause),
    first && passed.length > 0 && `It passes with: ${printValues(passed)}.`,
    unstable.length > 0 &&
      `With these values, the command does not fail each time, or it also fails with the default behaviour, so its tests are not stable: ${printValues(unstable.map(toValues))}.`,
    ...printFailures(unstable.flatMap(({ values }) => values).slice(0, 1)),
    untested.length > 0 && `Not tried (interrupted): ${printValues(untested)}.`,
    neverActed.length > 0 &&
      `These values changed no response of your tests, so they were not tried: ${printValues(neverActed)}.`,
    `${runs} runs.`,
    first && `Try one: ${printCall()}${options} --behaviour '${JSON.stringify(first)}' -- ${name}`,
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

function printCall(): string {
  if (isExecutable) return mockCommand.name;
  return isNpmScript() ? 'npm start --' : `npx --no -- ${mockCommand.name}`;
}

const toValues = ({ choice, values }: ChoiceCause) => ({ choice, values: values.map(({ value }) => value) });

function describePass(name: string, { unstable, untested }: Trial): string {
  const isPart = unstable.length > 0 || untested.length > 0;
  if (isPart) return `${name} passes with the default behaviour, and no value is known to break it.`;
  return `${name} passes with each value that changes a response to it.`;
}

function printCause({ choice, values }: ChoiceCause): string[] {
  const print = ({ value, outcome }: ValueCause) =>
    outcome === 'timeout' ? `${printValue(value)} (does not end)` : printValue(value);
  const line = `  ${nameInWords(choice)}: fails with ${inWords(values.map(print), 'and')}`;
  return [line, ...printFailures(values)];
}

function printLines({ choice, values }: ChoiceCause): string[] {
  return values.map((cause) => toHarmless(JSON.stringify({ choice, ...cause })));
}

function printFailures(causes: readonly FailedTests[]): string[] {
  const tests = [...new Set(causes.flatMap(({ failedTests }) => failedTests))];
  const [{ excerpt } = { excerpt: [] }] = causes;
  if (tests.length === 0) return excerpt.slice(0, MOST_SHOWN).map((line) => `      | ${toOneLine(line)}`);
  const more = tests.length > MOST_SHOWN ? [`      and ${tests.length - MOST_SHOWN} tests more`] : [];
  return [...tests.slice(0, MOST_SHOWN).map((test) => `      ✖ ${toOneLine(test)}`), ...more];
}
