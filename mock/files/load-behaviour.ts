import { commandName } from '../../common/cli/command-name.ts';
import { readOptionFile } from '../../common/cli/option-files.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { ApiError, describeValue } from '../../common/http/api-error.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { printSuggestion } from '../../common/text/suggest.ts';
import { behaviourNames, namedBehaviours, readBehaviour } from '../choices/behaviours.ts';
import { type ChoiceName, choiceNames, type Difference } from '../choices/choices.ts';
import { learn } from '../learn/learn.ts';
import { LEARNED_VERSION, readObserved } from '../learn/learned-file.ts';
import { expectNoRecording, isRecording, readRecording } from '../learn/read-recording.ts';

/** A behaviour of the start, with what else a learned file has. */
interface LoadedBehaviour {
  readonly difference: Difference;
  /** Choices that a learned file does not know. */
  readonly unknownChoices?: readonly ChoiceName[];
}

/**
 * Loads a behaviour: an object, JSON, a name, or the path of a JSON file or of a HAR file, from which it learns.
 * @throws UsageError or HarError naming what is wrong.
 */
export async function loadBehaviour(given: Difference | string): Promise<LoadedBehaviour> {
  let source = 'behaviour';
  const isText = typeof given === 'string' && !isName(given);
  try {
    if (!isText) return { difference: readBehaviour(given) };
    if (isRecording(given)) return await learnFrom(given);
    const isJson = given.trim().startsWith('{');
    if (!isJson) source = `behaviour: ${given}`;
    const value = parseExactJson(isJson ? given : await readFile(given));
    expectNoRecording(value, source);
    expectKnownVersion(value, source);
    return readParts(value, source);
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(error.message);
    throw error instanceof SyntaxError ? new UsageError(`${source} is not JSON: ${error.message}`) : error;
  }
}

/** Returns the path of the file of a behaviour; undefined if it is a name, JSON or an object. */
export function findBehaviourFile(given: Difference | string | undefined): string | undefined {
  const isFile = typeof given === 'string' && !isName(given) && !given.trim().startsWith('{');
  return isFile ? given : undefined;
}

function isName(given: string): boolean {
  return Object.hasOwn(namedBehaviours, given);
}

async function learnFrom(recording: string): Promise<LoadedBehaviour> {
  const { behaviour, findings } = learn(await readRecording(recording));
  const isKnown = (name: ChoiceName) => findings.get(name)?.values.length === 1;
  return { difference: behaviour, unknownChoices: choiceNames.filter((name) => !isKnown(name)) };
}

function readFile(file: string): Promise<string> {
  return readOptionFile(file, 'behaviour').catch((error) => {
    const known = `. Give a file, JSON or a name: ${behaviourNames.join(', ')}`;
    throw new UsageError(`${error.message}${printSuggestion(file, behaviourNames) || known}`);
  });
}

/** @throws UsageError for a learned file of another version, which may mean something else. A file that was written by hand has none. */
function expectKnownVersion(value: ExactJson, source: string): void {
  if (!isJsonObject(value) || value.behaviour === undefined || value.version === undefined) return;
  if (value.version === BigInt(LEARNED_VERSION)) return;
  const problem = `version must be ${LEARNED_VERSION}, not ${describeValue(value.version)}`;
  const again = `Write it again with ${commandName('mock')} learn <HAR file>`;
  const other = `use the release of ${commandName('mock')} that reads it`;
  throw new UsageError(`${source}: ${problem}. ${again}, or ${other}.`);
}

/** @param source named in messages */
function readParts(value: ExactJson, source: string): LoadedBehaviour {
  if (!isJsonObject(value)) return { difference: readBehaviour(value) };
  const { $schema, ...members } = value;
  const { behaviour } = members;
  if (behaviour === undefined) return { difference: readBehaviour(members) };
  const difference = readBehaviour(behaviour);
  const observed = readLearned(members, source) ?? choiceNames;
  // A choice that somebody has set by hand is known.
  const unknownChoices = choiceNames.filter(
    (name) => !observed.includes(name) && difference[name] === undefined,
  );
  return { difference, unknownChoices };
}

/** Returns the choices that a learned file knows. A file that was written by hand does not name them. */
function readLearned({ observed }: JsonObject, source: string): readonly ChoiceName[] | undefined {
  try {
    return observed === undefined ? undefined : readObserved(observed);
  } catch (error) {
    throw new UsageError(`${source}: ${(error as Error).message}`);
  }
}
