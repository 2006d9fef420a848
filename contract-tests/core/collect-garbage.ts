import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much may be read before memory is freed, in bytes. */
const MUCH = 4 * 1024 * 1024;

let collect: (() => void) | undefined;
let bytes = 0;

/** Frees memory now and then, when long bodies are read: by itself V8 would first take several times as much. */
export function collectGarbage(read: number): void {
  bytes += read;
  if (bytes < MUCH) return;
  bytes = 0;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
