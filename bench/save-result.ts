import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'results');

/** Writes a file into `bench/results`. */
export function saveResult(name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${text.trimEnd()}\n`);
}

/** Prints when and on which machine the figures were measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  return `Measured on ${date}: ${machine}, ${platform()} ${release()}, Node ${process.version}`;
}
