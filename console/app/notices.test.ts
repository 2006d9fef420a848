import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';

test('a change is undone only as long as nobody else has changed the animals', async () => {
  const mock = await startTestMock();
  const page = new URL('/', mock.url);
  const { fetch } = globalThis;
  vi.stubGlobal('location', page);
  vi.stubGlobal('sessionStorage', {});
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, page), init));
  onTestFinished(() => void vi.unstubAllGlobals());
  // Not as a literal, since Node.js has not the types of a page.
  const file = './notices.ts';
  const { change, notice } = await import(file);
  const remove = () => change('The animal 1 was removed.', async () => mock.animals.remove(1));
  await remove();
  await notice.value?.undo?.();
  expect(mock.animals.size).toBe(120);
  await remove();
  mock.animals.add({ name: 'Rex', categoryId: 1 });
  await expect(notice.value?.undo?.()).rejects.toThrow('have changed');
  expect(mock.animals.size).toBe(120);
});
