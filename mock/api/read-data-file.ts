import { describeValue } from '../../common/api-error.ts';
import { type ExactJson, isJsonObject, parseExactJson } from '../../common/exact-json.ts';
import type { Pet } from '../../common/pet.ts';
import { readBoundedFile } from '../../common/read-bounded-file.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { StartError } from '../../common/usage-error.ts';
import { findProblems } from './validation.ts';

/** What a file of animals holds. */
export interface DataFile {
  readonly pets: readonly Pet[];
  /** The names of properties that are not of the schema and were left out. */
  readonly unknownProperties: readonly string[];
}

/** A file of animals that cannot be used, as a sentence that names the file and the entry. */
export class DataFileError extends StartError {
  override readonly name = 'DataFileError';
}

/** The most faults that are told one by one. */
export const MOST_TOLD = 10;

/**
 * Reads animals from a JSON file: an array of Pet. Source: openapi.yaml#/components/schemas/Pets
 * @param onSlow called once when it takes a second or so.
 * @throws DataFileError when the file cannot be read, is not JSON, or holds anything but animals with ids of their own; it
 * tells the first ten faults.
 */
export async function readDataFile(file: string, onSlow = () => {}): Promise<DataFile> {
  const entries = await parseFile(file, onSlow);
  if (!Array.isArray(entries)) {
    throw new DataFileError(`${file} must hold a JSON array of animals, not ${describeValue(entries)}`);
  }
  const indexOfId = new Map<bigint, number>();
  const unknownProperties = new Set<string>();
  const told: string[] = [];
  let faults = 0;
  const pets: Pet[] = [];
  for (const [index, entry] of entries.entries()) {
    const fault = findFault(entry, index, indexOfId);
    if (fault === undefined) {
      const { id, name, categoryId, status, ...others } = entry as Pet;
      const pet = { id, name, categoryId };
      pets.push(status === undefined ? pet : { ...pet, status });
      for (const property of Object.keys(others)) unknownProperties.add(property);
    } else {
      faults += 1;
      if (faults <= MOST_TOLD) told.push(fault);
    }
  }
  if (faults > MOST_TOLD) told.push(`and ${faults - MOST_TOLD} more`);
  if (faults > 0) throw new DataFileError(`${file}: ${told.join('; ')}`);
  return { pets, unknownProperties: [...unknownProperties] };
}

/** What is wrong with an entry, whose id is remembered. */
function findFault(entry: ExactJson, index: number, indexOfId: Map<bigint, number>): string | undefined {
  const place = `entry [${index}]`;
  if (!isJsonObject(entry)) return `${place} must be an object, not ${describeValue(entry)}`;
  const problems = findProblems(entry, ['id', 'name', 'categoryId', 'status']);
  if (problems.length > 0) return `${place}: ${problems.join('; ')}`;
  const id = entry.id as bigint;
  const twin = indexOfId.get(id);
  if (twin !== undefined) return `entries [${twin}] and [${index}] have the same id, ${id}`;
  indexOfId.set(id, index);
  return undefined;
}

/** How long reading may take before that is said, in milliseconds, and how many bytes take as long to parse. */
const [PATIENCE, SLOW_SIZE] = [1_000, 32 * 1024 * 1024];

async function parseFile(file: string, onSlow: () => void): Promise<ExactJson> {
  let isTold = false;
  const tell = () => {
    if (!isTold) onSlow();
    isTold = true;
  };
  const timer = setTimeout(tell, PATIENCE);
  const fail = (what: string) => (error: Error) => {
    throw new DataFileError(`${file} ${what}: ${error.message}`);
  };
  const bytes = await readBoundedFile(file)
    .catch(fail('could not be read'))
    .finally(() => clearTimeout(timer));
  if (bytes.length > SLOW_SIZE) tell();
  try {
    return parseExactJson(bytes);
  } catch (error) {
    return fail('is not JSON')(error as Error);
  }
}
