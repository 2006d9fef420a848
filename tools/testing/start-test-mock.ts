import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { type JsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { type Mock, startMock } from '../../mock/index.ts';
import type { MockOptions } from '../../mock/mock-options.ts';

/** The file of animals that the HTTP cases start with: two available, one pending, one sold, one without a status. */
export const sampleAnimals = fileURLToPath(new URL('../../fixtures/sample-animals.json', import.meta.url));

/** The animals of the file, in its order, every integer exact. */
export const samplePets = parseExactJson(readFileSync(sampleAnimals)) as readonly JsonObject[];

/** Starts a mock for the test that is running, on a free port, and closes it afterwards. */
export async function startTestMock(options: MockOptions = {}, whenDone = onTestFinished): Promise<Mock> {
  const mock = await startMock({ port: 0, log: 'silent', ...options });
  whenDone(() => mock.close());
  return mock;
}

/** Starts a mock for the tests of a file. */
export const startFileMock = (options?: MockOptions): Promise<Mock> => startTestMock(options, afterAll);
