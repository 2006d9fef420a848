import type { Clause } from '../core/clause.ts';
import { replayClauses } from '../replay/replay-clauses.ts';
import { authenticationClauses } from './authentication.ts';
import { endpointsClauses } from './endpoints.ts';
import { errorsClauses } from './errors.ts';
import { getPetByIdClauses } from './get-pet-by-id.ts';
import { getPetsClauses } from './get-pets.ts';
import { postPetsClauses } from './post-pets.ts';
import { quickstartClauses } from './quickstart.ts';
import { robustnessClauses } from './robustness.ts';
import { serviceClauses } from './what-the-service-does.ts';

/** The most animals that a run adds to the mock, including Dredd's one; a deployment that refuses more may get some more. */
export const MOST_ADDED = 60;

/** Every clause, in the order in which they are listed and reported. */
export const clauses: readonly Clause[] = [
  ...getPetsClauses,
  ...postPetsClauses,
  ...getPetByIdClauses,
  ...endpointsClauses,
  ...authenticationClauses,
  ...errorsClauses,
  ...serviceClauses,
  ...quickstartClauses,
  ...robustnessClauses,
  ...replayClauses,
];

/** These headings run first: keys, then creations, so that there are more animals to list. */
const earlyHeadings = ['Authentication', 'POST /pets', 'Endpoints'];

/** Puts clauses in the order in which they run; those that observe the others come last. */
export function inRunningOrder(wanted: readonly Clause[]): Clause[] {
  const early = earlyHeadings.flatMap((name) => wanted.filter(({ heading }) => heading === name));
  const late = wanted.filter(({ heading }) => !earlyHeadings.includes(heading));
  const isOf =
    (kind: Clause['observes']) =>
    ({ observes = false }: Clause) =>
      observes === kind;
  return [
    ...[...early, ...late].filter(isOf(false)),
    ...[...early.filter(isOf(true)), ...early.filter(isOf('additions'))],
    ...late.filter(isOf(true)),
  ];
}

/** Parts clauses in their running order into those that run at the same time. */
export function inPhases(ordered: readonly Clause[]): (readonly Clause[])[] {
  const phases: Clause[][] = [];
  for (const clause of ordered) {
    const last = phases.at(-1);
    if (clause.isBeside && last?.[0]?.isBeside) last.push(clause);
    else phases.push([clause]);
  }
  return phases;
}

/** Prints every clause under its heading, and what is tolerated there. */
export function printCatalogue(): string {
  const sections = Object.entries(Object.groupBy(clauses, ({ heading }) => heading));
  return sections.map(([heading, own = []]) => `${heading}\n${printSection(own).join('')}`).join('\n');
}

function printSection(own: readonly Clause[]): string[] {
  const lines = own.map(({ id, level, sentence }) => {
    const note = level === 'advised' ? ' (advised)' : '';
    return `  ${id.padEnd(36)} ${sentence}${note}\n`;
  });
  const tolerated = own.flatMap((clause) => clause.tolerated ?? []);
  const open = tolerated.map((point) => `  left open: ${point.open}; tolerated: ${point.answers}\n`);
  return [...lines, ...new Set(open)];
}
