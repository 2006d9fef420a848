import { authenticationClauses } from './authentication.ts';
import { endpointsClauses } from './endpoints.ts';
import { errorsClauses, serviceClauses } from './errors.ts';
import { getPetByIdClauses } from './get-pet-by-id.ts';
import { getPetsClauses } from './get-pets.ts';
import { postPetsClauses } from './post-pets.ts';
import { robustnessClauses } from './robustness.ts';
import { type Clause, ONCE_WRONG } from './rule.ts';

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

/** The ids of the required clauses. */
export const requiredIds: readonly string[] = clauses.flatMap(({ id, level }) =>
  level === 'required' ? [id] : [],
);

/** Lists clauses in the order of the catalogue. @param only their ids, of which none is all */
export function listClauses(only: readonly string[] = []): readonly Clause[] {
  return only.length === 0 ? clauses : clauses.filter(({ id }) => only.includes(id));
}

/**
 * Lists the clauses that judge the responses of a run of some clauses: these, and the one about what others have seen in a single response,
 * which judges by all of them where it is tested itself.
 */
export function listJudging(tested: readonly Clause[]): readonly Clause[] {
  const isTested = (id: string) => tested.some((one) => one.id === id);
  return isTested(ONCE_WRONG) ? clauses : clauses.filter(({ id }) => isTested(id) || id === ONCE_WRONG);
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
