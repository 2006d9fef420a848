import { readFile } from 'node:fs/promises';
import { describeFileError } from '../../common/cli/option-files.ts';
import { StartError } from '../../common/cli/usage-error.ts';
import { parseExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { serviceContract } from '../contract.ts';
import { toPets } from '../session/animals.ts';

export interface DataFile {
  readonly pets: readonly Pet[];
  /** Properties that the schema does not have. They were left out. */
  readonly unknownProperties?: readonly string[];
}

/** A file of animals that cannot be used; the message names the file and the entry. */
export class DataFileError extends StartError {
  override readonly name = 'DataFileError';
}

/**
 * Reads animals from a JSON file, which may be a pipe: an array of Pet. Source: openapi.yaml#/components/schemas/Pets
 * @throws DataFileError if the file cannot be read, is not JSON, or holds anything but animals with different ids.
 */
export async function readDataFile(file: string): Promise<DataFile> {
  const bytes = await readFile(file).catch((error) =>
    failToRead(file, error, '. Add --save, or save: true in code, to create it'),
  );
  return parseDataFile(file, bytes);
}

/** @param hint what to do if there is no file */
export function failToRead(file: string, error: unknown, hint = ''): never {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const problem = isMissing ? `does not exist${hint}` : `could not be read: ${describeFileError(error)}`;
  throw new DataFileError(`${file} ${problem}`);
}

/** Parses what was read of a file of animals. @throws DataFileError */
export function parseDataFile(file: string, bytes: Uint8Array): Required<DataFile> {
  const unknown = new Set<string>();
  try {
    const pets = toPets(parseExactJson(bytes), serviceContract, 'entry ', unknown);
    return { pets, unknownProperties: [...unknown] };
  } catch (error) {
    const problem = error instanceof SyntaxError ? ' is not JSON' : '';
    throw new DataFileError(`${file}${problem}: ${(error as Error).message.replace(/\.$/, '')}`);
  }
}
