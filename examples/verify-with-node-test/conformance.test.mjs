// node --test
import { after, before, describe, test } from 'node:test';
import { describeConformance } from 'animal-store-contract-tests';
import { startMock } from 'animal-store-mock';

// Start your service here. In this example it is the mock.
let server;

before(async () => {
  server = await startMock({ port: 0, log: 'silent' });
});

after(() => server.close());

describeConformance({ baseUrl: () => server.url, apiKey: 'test-key', allowWrites: true }, { describe, test });
