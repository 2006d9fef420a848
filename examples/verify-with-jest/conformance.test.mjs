// npm install && npm test
import { describeConformance } from 'animal-store-contract-tests';
import { startMock } from 'animal-store-mock';

// Start your service here. In this example it is the mock.
let server;

beforeAll(async () => {
  server = await startMock({ port: 0, log: 'silent' });
});

afterAll(() => server.close());

describeConformance({ baseUrl: () => server.url, apiKey: 'test-key', allowWrites: true });
