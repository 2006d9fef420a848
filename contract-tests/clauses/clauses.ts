import { type Contract, loadContract } from '../../common/json/contract.ts';
import { createDreddClauses } from '../dredd/dredd-clauses.ts';
import { type Clause, phases, readsOthers } from '../vocabulary/clause.ts';
import { factsOf } from '../vocabulary/list-facts.ts';
import { authenticationClauses } from './authentication.ts';
import { endpointsClauses } from './endpoints.ts';
import { errorsClauses, serviceClauses } from './errors.ts';
import { getPetByIdClauses } from './get-pet-by-id.ts';
import { getPetsClauses } from './get-pets.ts';
import { postPetsClauses } from './post-pets.ts';
import { quickstartClauses } from './quickstart.ts';
import { robustnessClauses } from './robustness.ts';

/** The clauses of the specification. */
const ofSpecification: readonly Clause[] = [
  ...getPetsClauses,
  ...postPetsClauses,
  ...getPetByIdClauses,
  ...endpointsClauses,
  ...authenticationClauses,
  ...errorsClauses,
  ...serviceClauses,
  ...quickstartClauses,
  ...robustnessClauses,
];

const made = new WeakMap<Contract, readonly Clause[]>();

/** Returns all clauses for a contract, in the order of the catalogue. */
export function clausesOf(contract: Contract): readonly Clause[] {
  const known = made.get(contract);
  if (known !== undefined) return known;
  const adapted = contract.isDraft ? ofSpecification.map((one) => adapt(one, contract)) : ofSpecification;
  const all = [...adapted, ...createDreddClauses(contract)];
  made.set(contract, all);
  return all;
}

/** Returns a clause with the values of a draft in its sentence. No sentence of the specification has them. */
function adapt({ quote, ...clause }: Clause, contract: Contract): Clause {
  const { sentenceOf } = clause;
  return sentenceOf === undefined
    ? { ...clause, quote }
    : { ...clause, sentence: sentenceOf(factsOf(contract)) };
}

/** All clauses for openapi.yaml. */
export const clauses: readonly Clause[] = clausesOf(loadContract());

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
export function printCatalogue(contract: Contract): string {
  const sections = Map.groupBy(clausesOf(contract), ({ heading }) => heading);
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
