import { toDifference } from '../../mock/choices/behaviours.ts';
import { type ChoiceName, choiceNames, type Difference, valuesOf } from '../../mock/choices/choices.ts';
import { createRandom } from '../../mock/session/create-random.ts';

/** Draws a value for each choice. The same seed gives the same difference. */
export function drawDifference(seed: number): Difference {
  const random = createRandom(seed);
  const draw = (name: ChoiceName) => {
    const values = valuesOf(name);
    return values[Math.floor(random() * values.length)];
  };
  return toDifference(Object.fromEntries(choiceNames.map((name) => [name, draw(name)])));
}
