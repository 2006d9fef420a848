import type { ChoiceValue } from '../choices/choices.ts';
import type { Seen } from './read-recording.ts';

export interface Finding {
  /** The values that explain all responses: one if the choice is learned, and none if no value explains them. */
  readonly values: readonly ChoiceValue[];
  /** Exchanges that exclude other values. */
  readonly evidence: readonly Seen[];
}
