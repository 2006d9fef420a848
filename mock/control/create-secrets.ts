import { createHideKeys } from '../../common/hide-keys.ts';

/** Every key that a mock has or had, in whatever session: a log and a journal hold what came before a change. */
export interface Secrets {
  add(keys: readonly string[]): void;
  all(): readonly string[];
  /** Hides them all in a text. */
  hide(text: string): string;
}

/** Creates the secrets of a mock. @param onAdd Called with keys that are new. */
export function createSecrets(
  initial: readonly string[],
  onAdd: (keys: readonly string[]) => void = () => {},
): Secrets {
  const secrets = new Set(initial);
  let all = [...secrets];
  return {
    add(keys) {
      const added = keys.filter((key) => !secrets.has(key));
      if (added.length === 0) return;
      for (const key of added) secrets.add(key);
      all = [...secrets];
      onAdd(added);
    },
    all: () => all,
    hide: (text) => createHideKeys(all)(text),
  };
}
