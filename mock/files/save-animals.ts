import { describeFileError } from '../../common/cli/option-files.ts';
import type { Pet } from '../../common/json/pet.ts';
import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import { serviceContract } from '../contract.ts';
import type { Contents, PetStore } from '../service/pet-store.ts';
import { printPet } from '../service/print-answer.ts';
import { pickMembers } from '../service/read-request.ts';
import type { SavedFile } from './saved-file.ts';

/** Time between two looks at the animals, in milliseconds. */
const INTERVAL = 200;

/** Looks after which animals are saved that keep changing: 2 seconds. */
const MOST_LOOKS = 10;

interface SavingConfig {
  readonly file: SavedFile;
  /** True if there is no file yet, so that the animals of the start are written at once. */
  readonly isNew: boolean;
  /** Returns the store whose animals are saved, which is another one after a reset. */
  readonly readStore: () => PetStore;
  /** Receives sentences for people. */
  readonly report: (sentence: string) => void;
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
 * @returns a function that writes them a last time, and returns false if they could not be saved, which is reported
 */
export function startSaving({ file, isNew, readStore, report }: SavingConfig): () => boolean {
  let saved: Contents | undefined = isNew ? undefined : readStore().snapshot();
  let savedVersion = isNew ? undefined : readStore().version;
  let seenVersion: number | undefined;
  let looks = 0;
  /** The last problem, which is not reported again. */
  let reported: string | undefined;
  /** Writes the animals, if they have changed. @returns why they could not be written */
  const write = (): string | undefined => {
    // The store copies its contents before a change, so the same object has the same animals.
    const contents = readStore().snapshot();
    if (contents === saved) return undefined;
    try {
      file.write(printAnimals(contents.all));
    } catch (error) {
      return describeFileError(error);
    }
    saved = contents;
    return undefined;
  };
  const save = () => {
    const problem = write();
    savedVersion = readStore().version;
    if (problem !== undefined && problem !== reported)
      report(
        `the animals could not be saved to ${file.path}: ${problem}. The mock tries again after the next change.`,
      );
    reported = problem;
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

  return () => {
    clearTimeout(timer);
    const problem = write();
    if (problem !== undefined) report(`the last animals could not be saved to ${file.path}: ${problem}.`);
    return problem === undefined;
  };
}
