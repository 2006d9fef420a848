// Jest's own modules cannot load an ES module by require; its global setup can.
import { startMock } from 'animal-store-mock';

export default async function start() {
  globalThis.mock = await startMock({ port: 0, log: 'silent' });
  process.env.MOCK_ORIGIN = new URL(globalThis.mock.url).origin;
}
