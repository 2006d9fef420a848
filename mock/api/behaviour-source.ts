import type { Behaviour, ChoiceName } from '../../common/behaviour/choices.ts';

/** The behaviour that decides, and the record of the choices that act. */
export interface BehaviourSource {
  readonly behaviour: Behaviour;
  /** Records a choice that decides otherwise than its default value would. */
  noteActed(name: ChoiceName): void;
}
