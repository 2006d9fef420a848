import { createHash } from 'node:crypto';
import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { StartError } from '../../common/cli/usage-error.ts';
import { parseExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
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
 * Reads animals from a JSON file: an array of Pet. Source: openapi.yaml#/components/schemas/Pets
 * @param isSaved true refuses properties that the schema does not have, because saving would remove them from the file.
 * @throws DataFileError if the file cannot be read, is not JSON, or holds anything but animals with different ids.
 */
export async function readDataFile(file: string, isSaved = false): Promise<DataFile> {
  const bytes = await readFile(file).catch(({ message }) => {
    throw new DataFileError(`${file} could not be read: ${message}`);
  });
  const unknown = new Set<string>();
  const pets = readPets(file, bytes, unknown);
  const unknownProperties = [...unknown];
  if (isSaved && unknown.size > 0) {
    const named = unknownProperties.join(', ');
    const problem = `${file} has members that the contract does not have, which saving would remove: ${named}`;
    throw new DataFileError(`${problem}. Remove them first`);
  }
  return { pets, unknownProperties };
}

function readPets(file: string, bytes: Buffer, unknown: Set<string>): Pet[] {
  try {
    return toPets(parseExactJson(bytes), serviceContract, 'entry ', unknown);
  } catch (error) {
    const problem = error instanceof SyntaxError ? ' is not JSON' : '';
    throw new DataFileError(`${file}${problem}: ${(error as Error).message.replace(/\.$/, '')}`);
  }
}

/** Time between two looks at the file, in milliseconds. */
const INTERVAL = 200;

/** Time without a change before the file is read, in milliseconds. */
const PAUSE = 300;

/** Watches a file of animals. */
export interface Watch {
  /** Returns whether the file differs from what the mock has read or written, so that the mock has to read it first. */
  isForeign(): boolean;
  /** Takes animals that the mock has written for those of the file, so that they are not read again. */
  noteWritten(pets: readonly Pet[]): void;
  stop(): void;
}

/**
 * Watches a file whose animals were read.
 * @param report receives sentences for people. @param isSaved as for `readDataFile`.
 */
export function watchDataFile(
  file: string,
  pets: readonly Pet[],
  onChange: (pets: readonly Pet[]) => void,
  report: (sentence: string) => void,
  isSaved = false,
): Watch {
  let current = pets;
  let known = readStamp(file);
  let isUsable = true;
  let writes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readAgain = async () => {
    const writesBefore = writes;
    const stamp = readStamp(file);
    try {
      const { pets, unknownProperties = [] } = await readDataFile(file, isSaved);
      // The mock wrote the file while it was read, and will look at it again.
      if (writes !== writesBefore) return;
      known = stamp;
      const isChanged = !isDeepStrictEqual(pets, current);
      if (isChanged) onChange(pets);
      const leftOut = unknownProperties.length === 0 ? '' : `; left out: ${unknownProperties.join(', ')}`;
      if (isChanged || !isUsable) report(`${file} was read again: animals: ${pets.length}${leftOut}`);
      current = pets;
      isUsable = true;
    } catch (error) {
      const isLost = isSaved && readStamp(file) !== undefined;
      const unsaved = isLost ? ', and saves them when the file is valid or gone' : '';
      report(`${(error as Error).message}. The mock keeps its animals${unsaved}.`);
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
  return {
    isForeign() {
      const stamp = readStamp(file);
      return stamp !== undefined && stamp !== known;
    },
    noteWritten(pets) {
      current = pets;
      known = readStamp(file);
      writes += 1;
    },
    stop() {
      unwatchFile(file, onLook);
      clearTimeout(timer);
    },
  };
}

/** Remembers a file of animals that is saved but not watched, so that a change of somebody else is not overwritten. */
export function rememberDataFile(file: string): Watch {
  let known = readStamp(file);
  let digest = readDigest(file);
  return {
    isForeign() {
      const stamp = readStamp(file);
      if (stamp === undefined || stamp === known) return false;
      // A touched file has the same content.
      return readDigest(file) !== digest;
    },
    noteWritten() {
      known = readStamp(file);
      digest = readDigest(file);
    },
    stop() {},
  };
}

/** Returns a digest of the content of a file; undefined if it cannot be read. */
function readDigest(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64');
  } catch {
    return undefined;
  }
}

/** Returns what changes with a file; undefined if there is no file. */
function readStamp(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats?.isFile() ? [stats.ino, stats.size, stats.mtimeNs].join(' ') : undefined;
}
