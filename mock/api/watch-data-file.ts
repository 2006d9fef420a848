import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Pet } from '../../common/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { UsageError } from '../../common/usage-error.ts';
import { MOST_TOLD, readDataFile } from './read-data-file.ts';

/** How often the file is looked at, in milliseconds. It is looked at and not listened for: editors put another in its place. */
const INTERVAL = 200;

/** What is told of a file of animals that has changed. */
export interface DataFileWatcher {
  /** Told of its animals, when they are others than before. */
  readonly onChange: (pets: readonly Pet[]) => void;
  /** Told in a sentence what became of each change, also of one that cannot be used. */
  readonly tell: (sentence: string) => void;
}

/**
 * Prepares to watch a file of animals: changes from now on are seen.
 * @returns what begins to watch, given the animals that were read, and returns what ends that.
 * @throws UsageError when it is a pipe, or something else that can be read only once.
 */
export async function prepareWatch(file: string) {
  let read = await identify(file);
  if (read === undefined) throw new UsageError(`${file} cannot be watched: it is not a file`);
  return (pets: readonly Pet[], { onChange, tell }: DataFileWatcher): (() => void) => {
    let [current, latest, isUsable, isOver] = [pets, read, true, false];
    const readAgain = async () => {
      try {
        const { pets, unknownProperties } = await readDataFile(file);
        const leftOut =
          unknownProperties.length === 0
            ? ''
            : `; left out: ${unknownProperties.slice(0, MOST_TOLD).join(', ')}`;
        const isChanged = !isDeepStrictEqual(pets, current);
        if (isChanged) onChange(pets);
        if (isChanged || !isUsable) tell(`${file} was read again: animals: ${pets.length}${leftOut}`);
        [current, isUsable] = [pets, true];
      } catch (error) {
        tell(`${(error as Error).message}; the animals stay as they are`);
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

/** What differs when a file has changed: another text each time, or why it cannot be looked at; undefined for what is no file. */
async function identify(file: string): Promise<string | undefined> {
  return stat(file, { bigint: true }).then(
    (stats) => (stats.isFile() ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() : undefined),
    ({ code }) => String(code),
  );
}
