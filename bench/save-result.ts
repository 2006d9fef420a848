import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'results');

/** Writes a file into `bench/results`; an object is printed as JSON, with the machine that it was measured on. */
export function saveResult(name: string, result: string | object): void {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} × ${cpu?.model}, ${gigabytes} GB, ${platform()} ${release()}, Node ${process.version}`;
  const measured = { machine, date: new Date().toISOString() };
  const text = typeof result === 'string' ? result : JSON.stringify({ ...measured, ...result }, undefined, 2);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${text.trimEnd()}\n`);
}
