import { readFileSync } from 'node:fs';
import { type ExactJson, isJsonObject, parseExactJson } from '../../common/exact-json.ts';
import type { Pet } from '../../common/pet.ts';
import { StartError } from '../../common/usage-error.ts';
import { describeValue } from './errors.ts';
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

/**
 * Reads animals from a JSON file: an array of Pet. Source: openapi.yaml#/components/schemas/Pets
 * @throws DataFileError when the file cannot be read, is not JSON, or holds anything but animals with ids of their own.
 */
export function readDataFile(file: string): DataFile {
  const entries = parseFile(file);
  if (!Array.isArray(entries)) {
    throw new DataFileError(`${file} must hold a JSON array of animals, not ${describeValue(entries)}`);
  }
  const indexOfId = new Map<bigint, number>();
  const unknownProperties = new Set<string>();
  const pets = entries.map((entry: ExactJson, index): Pet => {
    const { pet, others } = readPet(entry, `${file}: entry [${index}]`);
    const twin = indexOfId.get(pet.id);
    if (twin !== undefined) {
      throw new DataFileError(`${file}: entries [${twin}] and [${index}] have the same id, ${pet.id}`);
    }
    indexOfId.set(pet.id, index);
    for (const property of others) unknownProperties.add(property);
    return pet;
  });
  return { pets, unknownProperties: [...unknownProperties] };
}

function readPet(entry: ExactJson, place: string): { pet: Pet; others: string[] } {
  if (!isJsonObject(entry))
    throw new DataFileError(`${place} must be an object, not ${describeValue(entry)}`);
  const problems = findProblems(entry, ['id', 'name', 'categoryId', 'status']);
  if (problems.length > 0) throw new DataFileError(`${place}: ${problems.join('; ')}`);
  const { id, name, categoryId, status, ...others } = entry as unknown as Pet;
  const pet = { id, name, categoryId };
  return { pet: status === undefined ? pet : { ...pet, status }, others: Object.keys(others) };
}

function parseFile(file: string): ExactJson {
  const bytes = attempt(() => readFileSync(file), `${file} could not be read`);
  return attempt(() => parseExactJson(bytes), `${file} is not JSON`);
}

function attempt<T>(read: () => T, failure: string): T {
  try {
    return read();
  } catch (error) {
    throw new DataFileError(`${failure}: ${(error as Error).message}`);
  }
}
