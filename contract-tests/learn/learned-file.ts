import { readFileSync } from 'node:fs';
import { readBehaviour } from '../../common/behaviour/behaviours.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { isJsonObject, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import type { Learned } from './learn.ts';

/** Prints a learned behaviour as JSON. */
export function printLearned(learned: Learned): string {
  return `${printExactJson(learned as unknown as ExactJson, 2)}\n`;
}

/** Reads a file that `--learn` wrote. @throws UsageError for any other file */
export function readLearned(file: string): Learned {
  try {
    const learned = parseExactJson(readFileSync(file)) as ExactJson;
    if (!isJsonObject(learned) || learned.version !== 1n || !Array.isArray(learned.observed))
      throw new Error('It has another form.');
    return { ...(learned as unknown as Learned), behaviour: readBehaviour(learned.behaviour) };
  } catch (error) {
    const why = (error as Error).message.replace(/\.$/, '');
    const hint = 'Write one with: animal-store-verify <url> --learn <file>';
    throw new UsageError(`${file} is no learned behaviour: ${why}. ${hint}`);
  }
}
