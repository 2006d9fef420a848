import { basename } from 'node:path';
import { commandName } from '../../common/cli/command-name.ts';
import { readOptionFile } from '../../common/cli/option-files.ts';
import { type CommandSpec, inGroup, option } from '../../common/cli/options.ts';
import { readOptions } from '../../common/cli/read-options.ts';
import type { Call } from '../../common/cli/run-task.ts';
import { off } from '../../common/cli/shared-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { type ExactJson, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { file } from '../../common/schemas.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { compare, hasDrift, printComparison, type Side } from './compare.ts';
import { describeLearned } from './describe-learned.ts';
import { learn } from './learn.ts';
import { type LearnedFile, readLearnedFile, toLearnedFile } from './learned-file.ts';
import { expectNoRecording, isRecording, readRecording } from './read-recording.ts';

const name = commandName('mock');

export const learnCommand = {
  name: `${name} learn`,
  description: 'Learns from a HAR file how a deployment behaves, and prints it as JSON.',
  example: 'npm start -- learn staging.har > staging.json',
  notes: { 'Exit codes': ['0  learned', '2  wrong option or file'] },
  options: {
    recording: option('<HAR file>', 'HAR file of the suite, the proxy or a browser', {
      schema: file,
      isRequired: true,
    }),
  },
} satisfies CommandSpec;

export const compareCommand = {
  name: `${name} compare`,
  description: 'Compares how two deployments behave.',
  example: 'npm start -- compare staging.har production.har',
  notes: {
    'Exit codes': ['0  compared', '1  deployments differ, with --fail-on-drift', '2  wrong option or file'],
  },
  options: {
    first: option('<first file>', 'HAR file, or what learn has printed', { schema: file, isRequired: true }),
    second: option('<second file>', 'the same of another deployment', { schema: file, isRequired: true }),
    ...inGroup('Result', {
      failOnDrift: option('--fail-on-drift', 'exit with 1 if the deployments differ', off),
    }),
  },
} satisfies CommandSpec;

/** Prints the behaviour of a recording to stdout, and a summary to stderr. @throws HarError for a file without exchanges */
export async function runLearn(
  { argv, environment }: Omit<Call, 'endSoon'>,
  version: string,
): Promise<number> {
  const { recording: file } = readOptions(learnCommand, argv, { environment, version });
  const recording = await readRecording(file);
  const learned = toLearnedFile(learn(recording));
  process.stdout.write(`${printExactJson(learned as unknown as ExactJson, 2)}\n`);
  process.stderr.write(`${toHarmless(describeLearned(learned, recording))}\n`);
  return 0;
}

/** Prints what differs between two recordings or learned files. @throws UsageError, HarError for a file that cannot be used */
export async function runCompare(
  { argv, environment }: Omit<Call, 'endSoon'>,
  version: string,
): Promise<number> {
  const { first, second, failOnDrift } = readOptions(compareCommand, argv, { environment, version });
  const nameOf = (path: string) => toOneLine(basename(path).replace(/\.(?:json|har)$/i, ''));
  const isSame = nameOf(first) === nameOf(second);
  const readSide = async (path: string): Promise<Side> => ({
    name: isSame ? toOneLine(path) : nameOf(path),
    file: await readEither(path),
  });
  const [one, other] = [await readSide(first), await readSide(second)];
  const comparison = compare(one, other);
  if (comparison.known === 0)
    throw new UsageError(`${first} and ${second} have no observed choice in common.`);
  process.stdout.write(toHarmless(printComparison(one, other, comparison)));
  return failOnDrift && hasDrift(comparison) ? 1 : 0;
}

async function readEither(path: string): Promise<LearnedFile> {
  if (isRecording(path)) return toLearnedFile(learn(await readRecording(path)));
  const text = await readOptionFile(path);
  try {
    const value = parseExactJson(text);
    expectNoRecording(value, path);
    return readLearnedFile(value);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = (error as Error).message.replace(/\.$/, '');
    throw new UsageError(`${path} is no learned behaviour: ${why}. Write one with: ${name} learn <HAR file>`);
  }
}
