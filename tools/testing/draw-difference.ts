import { toDifference, triedChoices } from '../../common/behaviour/behaviours.ts';
import { type ChoiceName, choices, type Difference } from '../../common/behaviour/choices.ts';
import { createRandom } from '../../common/create-random.ts';

/** Draws a value for each choice that `--try-behaviours` tries. The same seed gives the same difference. */
export function drawDifference(seed: number): Difference {
  const random = createRandom(seed);
  const draw = (name: ChoiceName) => {
    const { values } = choices[name];
    return values[Math.floor(random() * values.length)];
  };
  return toDifference(Object.fromEntries(triedChoices.map((name) => [name, draw(name)])));
}
