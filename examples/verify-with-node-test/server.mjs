import { startMock } from 'animal-store-mock';

/** Starts your service on a free port; here the mock stands for it. */
export function startServer() {
  return startMock({ port: 0, log: 'silent' });
}
