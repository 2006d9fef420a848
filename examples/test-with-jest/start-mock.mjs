// Without the flag, a test of Jest cannot require animal-store-mock, but the global setup can import it.
import { startMock } from 'animal-store-mock';

export default async function start() {
  globalThis.mock = await startMock({ port: 0, log: 'silent' });
  process.env.MOCK_URL = globalThis.mock.url;
}
