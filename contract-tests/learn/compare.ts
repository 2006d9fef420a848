import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { completeBehaviour, readBehaviour } from '../../common/behaviour/behaviours.ts';
import type { ChoiceName } from '../../common/behaviour/choices.ts';
import { choiceNames, describeValueOf, nameInWords } from '../../common/behaviour/choices.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { type ExactJson, isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import type { Learned, Shown } from './learn.ts';

/**
 * Compares two files that `--learn` wrote, and prints the choices that differ, with the evidence of both.
 * @returns the text, and whether something differs. @throws UsageError for a file that cannot be used
 */
export function compare(first: string, second: string) {
  const isSame = nameOf(first) === nameOf(second);
  const sides = [first, second].map((file) => readSide(file, isSame ? file : nameOf(file)));
  const isObserved = (name: ChoiceName) => sides.every(({ learned }) => learned.observed.includes(name));
  const both = choiceNames.filter(isObserved);
  if (both.length === 0) throw new UsageError(`${first} and ${second} have no observed choice in common.`);
  const chosenBy = ({ learned }: (typeof sides)[number], name: ChoiceName) =>
    completeBehaviour(learned.behaviour)[name];
  const different = both.filter((name) => new Set(sides.map((side) => chosenBy(side, name))).size > 1);
  const lines = different.flatMap((name) => [
    `${nameInWords(name)}: ${sides.map((side) => `${side.name} ${describeValueOf(name, chosenBy(side, name))}`).join(', ')}`,
    ...sides.map((side) => `  ${side.name}: ${printEvidence(side.learned.evidence[name])}`),
  ]);
  const oneSided = sides.flatMap((side, index) => {
    const other = sides[1 - index]?.learned.observed ?? [];
    const missing = other.filter((name) => !side.learned.observed.includes(name));
    return missing.map((name) => `  ${nameInWords(name)}, in ${side.name}: ${side.learned.unknown[name]}`);
  });
  const apart = oneSided.length === 0 ? [] : ['Not observed on one side:', ...oneSided];
  const text = [...lines, ...apart, `${different.length} of ${both.length} choices differ.`];
  return { text: `${text.join('\n')}\n`, hasDrift: different.length > 0 };
}

function printEvidence(evidence: readonly Shown[] = []): string {
  return evidence.map(({ request, status }) => `${request} → ${status}`).join(', ') || 'no single response';
}

/** The name of a file is the name of its deployment. */
const nameOf = (file: string) => basename(file).replace(/\.json$/, '');

/** Reads a file that `--learn` wrote. @throws UsageError for any other file */
function readSide(file: string, name: string) {
  try {
    const learned = parseExactJson(readFileSync(file)) as ExactJson;
    const { version, observed, unknown, evidence, behaviour } = Object(learned);
    const isLearned = Array.isArray(observed) && observed.every((one) => choiceNames.includes(one));
    const hasObjects = [learned, unknown, evidence].every(isJsonObject);
    if (version !== 1n || !isLearned || !hasObjects) throw new Error('It has another form.');
    return { name, learned: { ...(learned as unknown as Learned), behaviour: readBehaviour(behaviour) } };
  } catch (error) {
    const why = (error as Error).message.replace(/\.$/, '');
    const hint = 'Write one with: animal-store-verify <url> --learn <file>';
    throw new UsageError(`${file} is no learned behaviour: ${why}. ${hint}`);
  }
}
