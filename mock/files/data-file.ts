import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { StartError } from '../../common/cli/usage-error.ts';
import { parseExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
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
 * Reads animals from a JSON file: an array of Pet. Source: openapi.yaml#/components/schemas/Pets
 * @throws DataFileError if the file cannot be read, is not JSON, or holds anything but animals with different ids.
 */
export async function readDataFile(file: string): Promise<DataFile> {
  const bytes = await readFile(file).catch(({ message }) => {
    throw new DataFileError(`${file} could not be read: ${message}`);
  });
  const unknown = new Set<string>();
  try {
    const pets = toPets(parseExactJson(bytes), 'entry ', unknown);
    return { pets, unknownProperties: [...unknown] };
  } catch (error) {
    const problem = error instanceof SyntaxError ? ' is not JSON' : '';
    throw new DataFileError(`${file}${problem}: ${(error as Error).message.replace(/\.$/, '')}`);
  }
}

/** Time between two looks at the file, in milliseconds. */
const INTERVAL = 200;

/** Time without a change before the file is read, in milliseconds. */
const PAUSE = 300;

/** Watches a file whose animals were read. Returns the function that stops. `report` receives sentences for people. */
export function watchDataFile(
  file: string,
  pets: readonly Pet[],
  onChange: (pets: readonly Pet[]) => void,
  report: (sentence: string) => void,
): () => void {
  let current = pets;
  let isUsable = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readAgain = async () => {
    try {
      const { pets, unknownProperties = [] } = await readDataFile(file);
      const isChanged = !isDeepStrictEqual(pets, current);
      if (isChanged) onChange(pets);
      const leftOut = unknownProperties.length === 0 ? '' : `; left out: ${unknownProperties.join(', ')}`;
      if (isChanged || !isUsable) report(`${file} was read again: animals: ${pets.length}${leftOut}`);
      current = pets;
      isUsable = true;
    } catch (error) {
      report(`${(error as Error).message}. The mock keeps its animals.`);
      isUsable = false;
    }
  };
  const onLook = () => {
    clearTimeout(timer);
    timer = setTimeout(readAgain, PAUSE).unref();
  };
  // Events would miss editors that replace the file.
  watchFile(file, { interval: INTERVAL, persistent: false }, onLook);
  // It may have changed since it was read.
  void readAgain();
  return () => {
    unwatchFile(file, onLook);
    clearTimeout(timer);
  };
}
