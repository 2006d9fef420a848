import fc from 'fast-check';
import type { ScriptedAnswer } from './scripted-upstream.ts';
import { brokenAnswers, lateAnswers, script, validAnswers } from './upstream-answers.ts';

/** Whether an answer is not to be waited for. */
export function isLate({ kind }: ScriptedAnswer): boolean {
  return kind.startsWith('late: ');
}

const intact = fc.constantFrom(...validAnswers);
const broken = fc.constantFrom(...brokenAnswers);
const bytesOf = ({ parts }: ScriptedAnswer) =>
  parts
    .map(([bytes]) => bytes)
    .join('')
    .slice(0, 1_800);
const text = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array).toString('latin1'));
const ending = fc.constantFrom('end' as const, 'resetAndDestroy' as const);

/** At some place some bytes are lost, some put in. */
const changed = fc
  .tuple(fc.oneof(intact, broken), fc.nat(), fc.nat(8), text(0, 4), ending)
  .map(([one, place, lost, added, ending]) => {
    const bytes = bytesOf(one);
    const at = place % (Math.min(bytes.length, 300) + 1);
    return script(`${one.kind}, changed`, bytes.slice(0, at) + added + bytes.slice(at + lost), { ending });
  });

const cut = fc.tuple(intact, fc.nat(), ending).map(([one, at, ending]) => {
  const bytes = bytesOf(one);
  return script(`${one.kind}, cut`, bytes.slice(0, at % (bytes.length + 1)), { ending });
});

const random = fc
  .tuple(text(1, 400), ending)
  .map(([bytes, ending]) => script('random bytes', bytes, { ending }));

/** What an upstream may answer, right and wrong; a late one holds a connection for as long as the proxy waits. */
export const faultyAnswer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 200, arbitrary: intact },
  { weight: 250, arbitrary: broken },
  { weight: 300, arbitrary: changed },
  { weight: 150, arbitrary: cut },
  { weight: 99, arbitrary: random },
  { weight: 1, arbitrary: fc.constantFrom(...lateAnswers) },
);
