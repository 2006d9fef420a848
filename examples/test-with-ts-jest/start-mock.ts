import { type Mock, startMock } from 'animal-store-mock';

declare global {
  var mock: Mock;
}

export default async function start(): Promise<void> {
  globalThis.mock = await startMock({ port: 0, log: 'silent' });
  process.env.MOCK_URL = globalThis.mock.url;
}
