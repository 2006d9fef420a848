import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../common/cli/usage-error.ts';
import type { Pet } from '../../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../../common/real-time.ts';
import { MOST_PROBLEMS, readDataFile } from './read-data-file.ts';

/** Time between two looks at the file, in milliseconds. Events would miss editors that replace the file. */
const INTERVAL = 200;

interface DataFileWatcher {
  /** Receives the animals of the file if they have changed. */
  readonly onChange: (pets: readonly Pet[]) => void;
  /** Receives a sentence about each change, also if the file cannot be used. */
  readonly report: (sentence: string) => void;
}

/**
 * Prepares to watch a file of animals: changes from now on are seen.
 * @returns the function that starts watching, given the animals that were read; it returns the function that stops.
 * @throws UsageError if it is a pipe, or something else that can be read only once.
 */
export async function prepareWatch(file: string) {
  let read = await identify(file);
  if (read === undefined) throw new UsageError(`${file} cannot be watched: it is not a file`);
  return (pets: readonly Pet[], { onChange, report }: DataFileWatcher): (() => void) => {
    let [current, latest, isUsable, isOver] = [pets, read, true, false];
    const readAgain = async () => {
      try {
        const { pets, unknownProperties } = await readDataFile(file);
        const names = unknownProperties.slice(0, MOST_PROBLEMS).join(', ');
        const isChanged = !isDeepStrictEqual(pets, current);
        if (isChanged) onChange(pets);
        const leftOut = names === '' ? '' : `; left out: ${names}`;
        if (isChanged || !isUsable) report(`${file} was read again: animals: ${pets.length}${leftOut}`);
        [current, isUsable] = [pets, true];
      } catch (error) {
        report(`${(error as Error).message}; the animals stay as they are`);
        isUsable = false;
      }
    };
    const look = async () => {
      const now = await identify(file);
      // While it is being written it looks different each time.
      if (now !== read && now === latest) {
        read = now;
        await readAgain();
      }
      latest = now;
      if (!isOver) timer = setTimeout(look, INTERVAL).unref();
    };
    let timer = setTimeout(look, INTERVAL).unref();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };
}

/** Returns a string that differs after each change, or the code of the error; undefined if it is not a file. */
async function identify(file: string): Promise<string | undefined> {
  return stat(file, { bigint: true }).then(
    (stats) => (stats.isFile() ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() : undefined),
    ({ code }) => String(code),
  );
}
