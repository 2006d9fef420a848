// Jest's own modules can require only animal-store-mock/client. Its global setup can load the whole library.
import { startMock } from 'animal-store-mock';

export default async function start() {
  globalThis.mock = await startMock({ port: 0, log: 'silent' });
  process.env.MOCK_URL = globalThis.mock.url;
}
