import { countOf } from '../../common/text/count-of.ts';
import { inWords } from '../../common/text/in-words.ts';
import { printDifference } from '../choices/behaviours.ts';
import { type ChoiceName, choiceNames, nameInWords, printValue, valuesOf } from '../choices/choices.ts';
import type { LearnedFile } from './learned-file.ts';
import type { Recording } from './read-recording.ts';

/** Describes why a choice is unknown. @param values that it may have */
function describeUnknown(name: ChoiceName, values: readonly unknown[]): string {
  if (values.length === 0) return 'no value explains all responses';
  if (values.length >= valuesOf(name).length) return 'no response shows it';
  return inWords(values.map(printValue));
}

const MOST_NAMED = 10;

export function describeLearned(file: LearnedFile, { baseUrl, exchanges }: Recording): string {
  const observed = choiceNames.filter((name) => file.observed.includes(name));
  const differences = printDifference(file.behaviour);
  const isShown = (name: ChoiceName) => (file.unknown[name] ?? []).length < valuesOf(name).length;
  const { shown = [], unseen = [] } = Object.groupBy(
    choiceNames.filter((name) => !file.observed.includes(name)),
    (name) => (isShown(name) ? 'shown' : 'unseen'),
  );
  const more = file.notPredicted.length - MOST_NAMED;
  const unread = exchanges.filter(({ method, text }) => method !== 'HEAD' && text === undefined).length;
  return [
    `Learned ${observed.length} of ${choiceNames.length} choices of ${baseUrl} from ${countOf(exchanges.length, 'exchange')}.`,
    ...(unread > 0
      ? [
          `${unread === 1 ? '1 response has' : `${unread} responses have`} no body in the HAR file. Browsers leave out a body that the page does not read.`,
        ]
      : []),
    differences.length > 0
      ? 'Unlike the mock without a behaviour:'
      : 'It behaves as the mock does without a behaviour.',
    ...differences.map((line) => `  ${line}`),
    ...(shown.length > 0 ? ['Unknown:'] : []),
    ...shown.map((name) => `  ${nameInWords(name)}: ${describeUnknown(name, file.unknown[name] ?? [])}`),
    ...(unseen.length > 0
      ? [`No response tells the values apart of: ${unseen.map(nameInWords).join(', ')}.`]
      : []),
    ...(file.notPredicted.length > 0 ? ['Not predicted by this behaviour:'] : []),
    ...file.notPredicted
      .slice(0, MOST_NAMED)
      .map(
        ({ request, received, predicted }) =>
          `  ${request} → ${describeParts(received)}, the mock ${describeParts(predicted)}`,
      ),
    ...(more > 0 ? [`  and ${more} more kinds of responses, which the file names`] : []),
  ].join('\n');
}

/** Describes parts of a response, such as "status 422". */
export function describeParts(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts)
    .map(([part, value]) => {
      if (value === '-') return `no ${part.replace('header ', '')}`;
      return value === 'present' ? part.replace('header ', '') : `${part.replace('header ', '')} ${value}`;
    })
    .join(' and ');
}
