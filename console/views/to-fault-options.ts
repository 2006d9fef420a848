import { type EffectName, faultEffects } from '../../mock/faults/fault-effects.ts';
import type { FaultOptions } from '../../mock/faults/fault-options.ts';

/** What was typed or chosen in the form of a fault. Empty fields are left out. */
interface FaultFields {
  /** The value of the effect. @default the only one that it has */
  readonly value?: string | undefined;
  readonly operation?: string | undefined;
  readonly times?: string | undefined;
}

/** How the values of effects are read. The value of a delay may be a range, such as `50-200`. */
const readers: { readonly [Name in EffectName]?: (value: string) => unknown } = {
  status: Number,
  response: (body) => ({ body }),
};

/** Returns the fault that a form asks for. */
export function toFaultOptions(effect: EffectName, { value, operation, times }: FaultFields): FaultOptions {
  const { [effect]: read = String } = readers;
  return {
    [effect]: value === undefined ? faultEffects[effect].constant : read(value),
    ...(operation && { operation }),
    ...(times && { times: Number(times) }),
  } as FaultOptions;
}
