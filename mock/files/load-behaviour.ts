import { behaviourNames, namedBehaviours, readBehaviour } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';
import { readOptionFile } from '../../common/cli/option-files.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { ApiError } from '../../common/http/api-error.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { printSuggestion } from '../../common/text/suggest.ts';

/** A behaviour of the start, with the animals of a file that `animal-store-verify --learn` wrote. */
export interface LoadedBehaviour {
  readonly difference: Difference;
  readonly animals?: ExactJson;
}

/**
 * Loads a behaviour: an object, JSON, a name, `random:<seed>` or the path of a JSON file.
 * @throws UsageError naming what is wrong.
 */
export async function loadBehaviour(given: Difference | string): Promise<LoadedBehaviour> {
  let source = 'behaviour';
  try {
    if (typeof given !== 'string' || isName(given)) return { difference: readBehaviour(given) };
    if (given.trim().startsWith('{')) return readParts(parseExactJson(given));
    source = `behaviour: ${given}`;
    return readParts(parseExactJson(await readFile(given)));
  } catch (error) {
    if (error instanceof ApiError) throw new UsageError(error.message);
    throw error instanceof SyntaxError ? new UsageError(`${source} is not JSON: ${error.message}`) : error;
  }
}

function isName(given: string): boolean {
  return Object.hasOwn(namedBehaviours, given) || given.startsWith('random:');
}

function readFile(file: string): Promise<string> {
  return readOptionFile(file, 'behaviour').catch((error) => {
    const known = `. Give a file, JSON or a name: ${behaviourNames.join(', ')}`;
    throw new UsageError(`${error.message}${printSuggestion(file, behaviourNames) || known}`);
  });
}

function readParts(value: ExactJson): LoadedBehaviour {
  if (!isJsonObject(value)) return { difference: readBehaviour(value) };
  const { $schema, ...members } = value;
  if (members.behaviour === undefined) return { difference: readBehaviour(members) };
  const { behaviour, animals } = members as JsonObject;
  return { difference: readBehaviour(behaviour), ...(animals !== undefined && { animals }) };
}
