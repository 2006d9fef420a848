import { statSync, unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../common/cli/usage-error.ts';
import type { Pet } from '../../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../../common/real-time.ts';
import { readDataFile } from './read-data-file.ts';

/** Time between two looks at the file, and time without a change before it is read, in milliseconds. */
const [INTERVAL, PAUSE] = [200, 300];

/** @throws UsageError for a pipe, or something else that can be read only once. */
export function expectWatchable(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) throw new UsageError(`${file} cannot be watched: it is not a file`);
}

/**
 * Watches a file of animals, and returns the function that stops.
 * @param pets The animals that were read.
 * @param onChange Receives the animals of the file if they have changed.
 * @param report Receives a sentence about each change, also if the file cannot be used.
 */
export function watchDataFile(
  file: string,
  pets: readonly Pet[],
  onChange: (pets: readonly Pet[]) => void,
  report: (sentence: string) => void,
): () => void {
  let [current, isUsable] = [pets, true];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readAgain = async () => {
    try {
      const { pets, unknownProperties } = await readDataFile(file);
      const isChanged = !isDeepStrictEqual(pets, current);
      if (isChanged) onChange(pets);
      const leftOut = unknownProperties.length === 0 ? '' : `; left out: ${unknownProperties.join(', ')}`;
      if (isChanged || !isUsable) report(`${file} was read again: animals: ${pets.length}${leftOut}`);
      [current, isUsable] = [pets, true];
    } catch (error) {
      report(`${(error as Error).message}; the animals stay as they are`);
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
