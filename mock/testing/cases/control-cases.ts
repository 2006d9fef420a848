import { animalControlCases } from './animal-control-cases.ts';
import type { ControlCase } from './control-case.ts';
import { faultControlCases } from './fault-control-cases.ts';
import { journalControlCases } from './journal-control-cases.ts';
import { stateControlCases } from './state-control-cases.ts';

/** What drives a mock: each from code and over HTTP. */
export const controlCases: readonly ControlCase[] = [
  ...animalControlCases,
  ...stateControlCases,
  ...faultControlCases,
  ...journalControlCases,
];
