import { dreddClauses } from '../dredd/dredd-clauses.ts';
import type { Clause } from '../model/clause.ts';
import { authenticationClauses } from './authentication.ts';
import { endpointsClauses } from './endpoints.ts';
import { errorsClauses, serviceClauses } from './errors.ts';
import { getPetByIdClauses } from './get-pet-by-id.ts';
import { getPetsClauses } from './get-pets.ts';
import { postPetsClauses } from './post-pets.ts';
import { quickstartClauses } from './quickstart.ts';
import { quotes } from './quotes.ts';
import { robustnessClauses } from './robustness.ts';

/** Maximum number of animals that a run adds to the mock, Dredd's one included. */
export const MOST_ADDED = 60;

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
  ...dreddClauses,
].map((clause) => ({ ...clause, quote: quotes.get(clause.id) }));

/** These headings run first: keys, then creations, so that there are more animals to list. */
const earlyHeadings = ['Authentication', 'POST /pets', 'Endpoints'];

export function inRunningOrder(wanted: readonly Clause[]): Clause[] {
  return wanted.toSorted((one, other) => toTurn(one) - toTurn(other));
}

function toTurn({ heading, runsLast }: Clause): number {
  const early = earlyHeadings.indexOf(heading);
  if (!runsLast) return early === -1 ? 3 : early;
  if (runsLast === 'everything') return 7;
  if (early === -1) return 6;
  return runsLast === 'additions' ? 5 : 4;
}

export function inPhases(ordered: readonly Clause[]): (readonly Clause[])[] {
  const phases: Clause[][] = [];
  for (const clause of ordered) {
    const last = phases.at(-1);
    if (isParallel(clause) && last?.every(isParallel)) last.push(clause);
    else phases.push([clause]);
  }
  return phases;
}

function isParallel(clause: Clause): boolean {
  return clause.isParallel === true && !clause.runsLast;
}

export function printCatalogue(): string {
  const sections = Map.groupBy(clauses, ({ heading }) => heading);
  return [...sections].map(([heading, own]) => `${heading}\n${printSection(own).join('')}`).join('\n');
}

function printSection(own: readonly Clause[]): string[] {
  const lines = own.map(({ id, level, sentence }) => {
    const note = level === 'recommended' ? ' (recommended)' : '';
    return `  ${id.padEnd(36)} ${sentence}${note}\n`;
  });
  const tolerated = own.flatMap((clause) => Object.entries(clause.tolerated ?? {}));
  const open = tolerated.map(([point, answers]) => `  unspecified: ${point}. Accepted: ${answers}\n`);
  return [...lines, ...new Set(open)];
}
