// node --test
import { after, before, describe, test } from 'node:test';
import { describeConformance } from 'animal-store-contract-tests';
import { startServer } from './server.mjs';

let server;

before(async () => {
  server = await startServer();
});

after(() => server.close());

describeConformance({ baseUrl: () => server.url, apiKey: 'test-key', allowWrites: true }, { describe, test });
