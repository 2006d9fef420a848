import { Keys } from '../../common/text/redact.ts';

/** Every key that a mock has or had in any session: logs and journals contain earlier ones too. */
export class Secrets {
  readonly all: string[];
  /** The same keys, to redact them. */
  readonly keys = new Keys();
  readonly #onAdd: (added: readonly string[]) => void;

  constructor(initial: readonly string[], onAdd: (added: readonly string[]) => void) {
    this.all = [...initial];
    this.#onAdd = onAdd;
    this.keys.add(this.all);
  }

  add(keys: readonly string[]): void {
    const added = keys.filter((key) => !this.all.includes(key));
    if (added.length === 0) return;
    this.all.push(...added);
    this.keys.add(added);
    this.#onAdd(added);
  }
}
