// npm install && npm test
import { describeConformance } from 'animal-store-contract-tests';
import { startServer } from './server.mjs';

let server;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

describeConformance({ baseUrl: () => server.url, apiKey: 'test-key', allowWrites: true });
