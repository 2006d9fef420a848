import { describeFileError } from '../../common/cli/option-files.ts';
import type { Pet } from '../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { serviceContract } from '../contract.ts';
import type { Contents, PetStore } from '../service/pet-store.ts';
import { printPet } from '../service/print-answer.ts';
import { pickMembers } from '../service/read-request.ts';
import type { FollowedFile } from './followed-file.ts';

/** Time between two looks at the animals, in milliseconds. */
const INTERVAL = 200;

/** Looks after which animals are saved that keep changing: 2 seconds. */
const MOST_LOOKS = 10;

/** Why the animals could not be saved. */
type Failure = { readonly is: 'foreign' } | { readonly is: 'unwritten'; readonly error: unknown };

/** Describes a failure as part of a sentence. */
function describeFailure(failure: Failure): string {
  if (failure.is === 'foreign') return 'another program has changed the file, which keeps its content';
  return describeFileError(failure.error);
}

/** Describes what follows from a failure while the mock runs, in a sentence. */
function describeNext({ is }: Failure): string {
  if (is === 'foreign') return 'Move the file away, or restart the mock to read it.';
  return 'The mock goes on, and tries again after the next change.';
}

/** What saving needs to know. */
interface SavingConfig {
  readonly file: FollowedFile;
  /** True if there is no file yet, so that the animals of the start are written at once. */
  readonly isNew: boolean;
  /** Returns the store whose animals are saved, which is another one after a reset. */
  readonly readStore: () => PetStore;
  /** True if changes of the file by somebody else are read, or reported if that fails. */
  readonly isWatched: boolean;
  /** Is called after the file was written. */
  readonly onWritten: (pets: readonly Pet[]) => void;
  /** Receives sentences for people. */
  readonly report: (sentence: string) => void;
}

/** Writes the animals of a store to a file while they change. */
export interface Saving {
  /** Takes the animals of the store for those of the file, because they were just read from it. */
  noteRead(): void;
  /** Writes the animals a last time, if they have changed. @returns false if they could not be saved, which is reported */
  stop(): boolean;
}

const names = serviceContract.members.map(({ name }) => name);

/** Returns an animal without the members that a behaviour has kept, which a data file cannot have. */
function toPlain(pet: Pet): Pet {
  const isPlain = Object.keys(pet).every((name) => names.includes(name));
  return isPlain ? pet : (pickMembers(pet, serviceContract.members) as Pet);
}

/** Prints animals as a JSON array with an animal on each line, so that a diff shows which ones have changed. */
function printAnimals(pets: readonly Pet[]): string {
  if (pets.length === 0) return '[]\n';
  const lines = pets.map((pet) => `  ${printPet(toPlain(pet))}`);
  return `[\n${lines.join(',\n')}\n]\n`;
}

/**
 * Starts to save the animals of a store. Changes that follow each other quickly are written once: when there was none for a
 * moment, at the latest after 2 seconds. A file that cannot be written is reported, and tried again with the next change.
 */
export function startSaving({ file, isNew, readStore, isWatched, onWritten, report }: SavingConfig): Saving {
  let saved: Contents | undefined = isNew ? undefined : readStore().snapshot();
  let savedVersion = isNew ? undefined : readStore().version;
  let seenVersion: number | undefined;
  let looks = 0;
  /** The last sentence, which is not reported again. */
  let reported: string | undefined;
  /** Writes the animals, if they have changed. @returns why they could not be written */
  const write = (): Failure | undefined => {
    // The store copies its contents before a change, so the same object has the same animals.
    const contents = readStore().snapshot();
    if (contents !== saved) {
      try {
        if (file.look() === 'foreign') return { is: 'foreign' };
        file.write(printAnimals(contents.all));
      } catch (error) {
        return { is: 'unwritten', error };
      }
      saved = contents;
      onWritten(contents.all);
    }
    return undefined;
  };
  const save = () => {
    const failure = write();
    // Its change will be read or reported.
    if (failure?.is === 'foreign' && isWatched) return;
    savedVersion = readStore().version;
    const sentence =
      failure &&
      `the animals could not be saved to ${file.path}: ${describeFailure(failure)}. ${describeNext(failure)}`;
    if (sentence !== undefined && sentence !== reported) report(sentence);
    reported = sentence;
  };
  const look = () => {
    const { version } = readStore();
    looks = version === savedVersion ? 0 : looks + 1;
    const isQuiet = version === seenVersion;
    if (looks > 0 && (isQuiet || looks >= MOST_LOOKS)) {
      save();
      looks = 0;
    }
    seenVersion = version;
    timer = setTimeout(look, INTERVAL).unref();
  };
  let timer = setTimeout(look, INTERVAL).unref();
  if (isNew) save();

  return {
    noteRead() {
      saved = readStore().snapshot();
      savedVersion = readStore().version;
    },
    stop() {
      clearTimeout(timer);
      const failure = write();
      if (failure !== undefined)
        report(`the last animals could not be saved to ${file.path}: ${describeFailure(failure)}.`);
      return failure === undefined;
    },
  };
}
