import { readFileSync } from 'node:fs';
import { readBehaviour } from '../../common/behaviour/behaviours.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import {
  type ExactJson,
  isJsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import type { Learned } from './learn.ts';

/** Prints a learned behaviour as JSON, with a member on each line. */
export function printLearned(learned: Learned): string {
  const members = Object.entries(learned).map(([name, value]) => {
    const isLong = name === 'evidence' || name === 'animals' || name === 'unknown';
    return `  "${name}": ${isLong ? printLines(value as ExactJson) : printExactJson(value as ExactJson)}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

function printLines(value: ExactJson): string {
  if (Array.isArray(value)) return `[\n${value.map((one) => `    ${printExactJson(one)}`).join(',\n')}\n  ]`;
  const lines = Object.entries(value as object).map(([name, one]) => `    "${name}": ${printExactJson(one)}`);
  return `{\n${lines.join(',\n')}\n  }`;
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
