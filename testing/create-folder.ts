import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder, which is removed after the running test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
