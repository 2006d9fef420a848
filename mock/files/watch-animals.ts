import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Pet } from '../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import type { FollowedFile } from './followed-file.ts';

/** Time between two looks at the file, in milliseconds. */
const INTERVAL = 200;

/** Time without a change before the file is read, in milliseconds. */
const PAUSE = 300;

/** What watching needs to know. */
interface WatchConfig {
  readonly file: FollowedFile;
  /** The animals that the mock has. */
  readonly pets: readonly Pet[];
  /** Receives the animals of the file when others are in it. */
  readonly onChange: (pets: readonly Pet[]) => void;
  /** Receives sentences for people. */
  readonly report: (sentence: string) => void;
}

/** Watches a file of animals. */
export interface Watch {
  /** Takes animals that the mock has written for those of the file. */
  noteWritten(pets: readonly Pet[]): void;
  stop(): void;
}

/** Reads a file of animals again when somebody else changes it. */
export function watchAnimals({ file, pets: first, onChange, report }: WatchConfig): Watch {
  let current = first;
  let isUsable = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const findState = () => {
    try {
      return file.look();
    } catch {
      return 'unknown';
    }
  };
  const readAgain = () => {
    const state = findState();
    if (isUsable && state === 'known') return;
    try {
      const { pets, unknownProperties = [] } = file.read();
      const isChanged = !isDeepStrictEqual(pets, current);
      if (isChanged) onChange(pets);
      const leftOut = unknownProperties.length === 0 ? '' : `; left out: ${unknownProperties.join(', ')}`;
      if (isChanged || !isUsable) report(`${file.path} was read again: animals: ${pets.length}${leftOut}`);
      current = pets;
      isUsable = true;
    } catch (error) {
      const isLost = file.isSaved && state === 'foreign';
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
  watchFile(file.path, { interval: INTERVAL, persistent: false }, onLook);
  // It may have changed since it was read.
  onLook();
  return {
    noteWritten(pets) {
      current = pets;
    },
    stop() {
      unwatchFile(file.path, onLook);
      clearTimeout(timer);
    },
  };
}
