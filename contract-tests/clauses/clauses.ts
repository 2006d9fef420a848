import { type Clause, phases, readsOthers } from '../vocabulary/clause.ts';
import { authenticationClauses } from './authentication.ts';
import { endpointsClauses } from './endpoints.ts';
import { errorsClauses, serviceClauses } from './errors.ts';
import { getPetByIdClauses } from './get-pet-by-id.ts';
import { getPetsClauses } from './get-pets.ts';
import { postPetsClauses } from './post-pets.ts';
import { robustnessClauses } from './robustness.ts';

/** All clauses, in the order of the catalogue. */
export const clauses: readonly Clause[] = [
  ...getPetsClauses,
  ...postPetsClauses,
  ...getPetByIdClauses,
  ...endpointsClauses,
  ...authenticationClauses,
  ...errorsClauses,
  ...serviceClauses,
  ...robustnessClauses,
];

/** Returns clauses in their running order: by phase, and in a phase as in the catalogue. */
export function inRunningOrder(wanted: readonly Clause[]): Clause[] {
  return wanted.toSorted((one, other) => phases.indexOf(one.phase) - phases.indexOf(other.phase));
}

/** Groups clauses that follow each other and may run at the same time. */
export function groupParallel(ordered: readonly Clause[]): (readonly Clause[])[] {
  const groups: Clause[][] = [];
  for (const clause of ordered) {
    const last = groups.at(-1);
    if (mayRunWithOthers(clause) && last?.every(mayRunWithOthers)) last.push(clause);
    else groups.push([clause]);
  }
  return groups;
}

function mayRunWithOthers({ isParallel, phase }: Clause): boolean {
  return isParallel === true && !readsOthers(phase);
}

/** Width of the column of ids in the catalogue, in characters. */
const ID_WIDTH = 36;

/** Prints the clauses by heading, with the unspecified points that each heading tolerates. */
export function printCatalogue(): string {
  const sections = Map.groupBy(clauses, ({ heading }) => heading);
  return [...sections].map(([heading, own]) => `${heading}\n${printSection(own).join('')}`).join('\n');
}

function printSection(own: readonly Clause[]): string[] {
  const lines = own.map(({ id, level, sentence }) => {
    const note = level === 'recommended' ? ' (recommended)' : '';
    return `  ${id.padEnd(ID_WIDTH)} ${sentence}${note}\n`;
  });
  const tolerated = own.flatMap((clause) => Object.entries(clause.tolerated ?? {}));
  const open = tolerated.map(([point, answers]) => `  unspecified: ${point}. Accepted: ${answers}\n`);
  return [...lines, ...new Set(open)];
}
