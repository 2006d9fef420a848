import { readFile } from 'node:fs/promises';
import { StartError } from '../../../common/cli/usage-error.ts';
import { describeValue } from '../../../common/http/api-error.ts';
import { type ExactJson, isJsonObject, parseExactJson } from '../../../common/json/exact-json.ts';
import type { Pet } from '../../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../../common/real-time.ts';
import { findProblems } from '../../api/validation.ts';

export interface DataFile {
  readonly pets: readonly Pet[];
  /** Properties that the schema does not have. They were left out. */
  readonly unknownProperties: readonly string[];
}

/** A file of animals that cannot be used; the message names the file and the entries. */
export class DataFileError extends StartError {
  override readonly name = 'DataFileError';
}

/** Maximum number of problems in an error. */
export const MOST_PROBLEMS = 10;

/**
 * Reads animals from a JSON file: an array of Pet. Source: openapi.yaml#/components/schemas/Pets
 * @param onSlow is called once if the file takes a second or so.
 * @throws DataFileError if the file cannot be read, is not JSON, or holds anything but animals with different ids.
 */
export async function readDataFile(file: string, onSlow = () => {}): Promise<DataFile> {
  const entries = await parseFile(file, onSlow);
  if (!Array.isArray(entries))
    throw new DataFileError(`${file} must hold a JSON array of animals, not ${describeValue(entries)}`);
  const indexOfId = new Map<bigint, number>();
  const problems = entries.flatMap((entry, index) => findProblem(entry, index, indexOfId) ?? []);
  if (problems.length > 0) {
    const named = problems.slice(0, MOST_PROBLEMS).join('; ');
    const more = problems.length - MOST_PROBLEMS;
    throw new DataFileError(`${file}: ${named}${more > 0 ? `; and ${more} more` : ''}`);
  }
  const unknownProperties = new Set<string>();
  const pets = entries.map(({ id, name, categoryId, status, ...others }): Pet => {
    for (const property of Object.keys(others)) unknownProperties.add(property);
    return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status };
  });
  return { pets, unknownProperties: [...unknownProperties] };
}

/** Returns what is wrong with an entry. Its id is added to the map. */
function findProblem(entry: ExactJson, index: number, indexOfId: Map<bigint, number>): string | undefined {
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

/** Time after which reading is slow, in milliseconds, and a size that takes as long to parse, in bytes. */
const [PATIENCE, SLOW_SIZE] = [1_000, 32 * 1024 * 1024];

async function parseFile(file: string, onSlow: () => void): Promise<ExactJson> {
  let report = onSlow;
  const reportOnce = () => {
    report();
    report = () => {};
  };
  const fail = (problem: string) => (error: Error) => {
    throw new DataFileError(`${file} ${problem}: ${error.message}`);
  };
  const timer = setTimeout(reportOnce, PATIENCE);
  const bytes = await readFile(file)
    .catch(fail('could not be read'))
    .finally(() => clearTimeout(timer));
  if (bytes.length > SLOW_SIZE) reportOnce();
  try {
    return parseExactJson(bytes);
  } catch (error) {
    return fail('is not JSON')(error as Error);
  }
}
