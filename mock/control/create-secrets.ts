import { createHideKeys } from '../../common/hide-keys.ts';

/** Every key that a mock has or had, in whatever session: a log and a journal hold what came before a change. */
export interface Secrets {
  add(keys: readonly string[]): void;
  all(): readonly string[];
  /** Hides them all in a text. */
  hide(text: string): string;
}

/** Creates the secrets of a mock. */
export function createSecrets(initial: readonly string[]): Secrets {
  const secrets = new Set(initial);
  let hide = createHideKeys(initial);
  return {
    add(keys) {
      const { size } = secrets;
      for (const key of keys) secrets.add(key);
      if (secrets.size > size) hide = createHideKeys([...secrets]);
    },
    all: () => [...secrets],
    hide: (text) => hide(text),
  };
}
