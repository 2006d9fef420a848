import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Pet } from '../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { parseDataFile } from './data-file.ts';
import { readBytes } from './saved-file.ts';

/** Time between two looks at the file, in milliseconds. */
const INTERVAL = 200;

/** Time without a change before the file is read, in milliseconds. */
const PAUSE = 300;

interface WatchConfig {
  readonly path: string;
  /** The animals that the mock has. */
  readonly pets: readonly Pet[];
  /** Receives the animals of the file when others are in it. */
  readonly onChange: (pets: readonly Pet[]) => void;
  /** Receives sentences for people. */
  readonly report: (sentence: string) => void;
}

/** Reads a file of animals again when it changes. @returns a function that stops this */
export function watchAnimals({ path, pets: first, onChange, report }: WatchConfig): () => void {
  let current = first;
  let problem: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readAgain = () => {
    try {
      const { pets, unknownProperties } = parseDataFile(path, readBytes(path));
      const isChanged = !isDeepStrictEqual(pets, current);
      if (isChanged) onChange(pets);
      const leftOut = unknownProperties.length === 0 ? '' : `; left out: ${unknownProperties.join(', ')}`;
      if (isChanged || problem !== undefined)
        report(`${path} was read again: animals: ${pets.length}${leftOut}`);
      current = pets;
      problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) report(`${message}. The mock keeps its animals.`);
      problem = message;
    }
  };
  const onLook = () => {
    clearTimeout(timer);
    timer = setTimeout(readAgain, PAUSE).unref();
  };
  // Events would miss editors that replace the file.
  watchFile(path, { interval: INTERVAL, persistent: false }, onLook);
  // It may have changed since it was read.
  onLook();
  return () => {
    unwatchFile(path, onLook);
    clearTimeout(timer);
  };
}
