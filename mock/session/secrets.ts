import { KeyHider } from '../../common/text/hide-keys.ts';

/** Every key that a mock has or had in any session: logs and journals contain earlier ones too. */
export class Secrets {
  readonly all: string[];
  readonly #onAdd: (added: readonly string[]) => void;
  readonly #hider = new KeyHider();

  constructor(initial: readonly string[], onAdd: (added: readonly string[]) => void) {
    this.all = [...initial];
    this.#onAdd = onAdd;
    this.#hider.add(this.all);
  }

  add(keys: readonly string[]): void {
    const added = keys.filter((key) => !this.all.includes(key));
    if (added.length === 0) return;
    this.all.push(...added);
    this.#hider.add(added);
    this.#onAdd(added);
  }

  readonly hide = (text: string): string => this.#hider.hide(text);
}
