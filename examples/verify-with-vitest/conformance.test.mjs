// npx vitest run
import { describeConformance } from 'animal-store-contract-tests';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startServer } from './server.mjs';

let server;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

describeConformance({ baseUrl: () => server.url, apiKey: 'test-key', allowWrites: true }, { describe, test });
