import { expect, onTestFinished, vi } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { inBrowser } from '../tools/testing/browser.ts';
import { get, send } from '../tools/testing/http-case.ts';
import { actionsOf, openConsole, waitFor } from './testing/open-console.ts';

inBrowser('animals can be added, removed and restored, with exact ids', async () => {
  const big = 9223372036854775807n;
  const hash = '#/animals?text=nothing-has-this';
  const { mock, page, see, click, press } = await openConsole({ mock: { animals: 30 }, hash });
  await see('No animal matches');
  await press('Escape');
  await see('30 of 30, newest first');
  await press('a');
  const form = page.getByRole('form', { name: 'Add an animal' });
  await form.getByLabel('categoryId').fill('many');
  await click('Add');
  await see('✗ name is required and must be a string');
  await see(/^✗ categoryId must be .* not "many"\.$/);
  await form.getByLabel('name').fill('Rex 👩‍🚀');
  await click('Add');
  await see(/^✗ categoryId must be .* not "many"\.$/);
  expect(await form.getByLabel('categoryId').getAttribute('aria-invalid')).toBe('true');
  // The typed text stays, also after a reload.
  await page.reload();
  await waitFor(async () => expect(await form.getByLabel('categoryId').inputValue()).toBe('many'));
  await form.getByLabel('categoryId').fill(String(big));
  await form.getByLabel('id of the new animal', { exact: true }).fill(String(big));
  await click('Add');
  await page.getByRole('button', { name: `Remove ${big}` }).waitFor();
  await see('Added an animal.');
  await click(`Remove ${big}`);
  await see('30 of 30');
  await page.locator('[data-row="30"]:focus').waitFor();
  await see(`Removed animal ${big}.`);
  await press('u');
  await page.getByRole('button', { name: `Remove ${big}` }).waitFor();
  expect(mock.animals.get(big)).toEqual({ id: big, name: 'Rex 👩‍🚀', categoryId: big });
  // The page uses the control API, so tests that count requests are not disturbed.
  expect(mock.requests()).toEqual([]);
});

inBrowser('faults can be added, and removed one by one', async () => {
  const opened = await openConsole({
    before: ({ faults }) => faults.add({ status: 404, probability: 0.3 }),
    hash: '#/faults',
  });
  const { mock, page, see, click, fill, choose, press } = opened;
  const rowOf = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  // A row says what its fault does, whatever the form has.
  await rowOf('30 % 404 on everything').waitFor();
  const form = page.getByRole('form', { name: 'Add a fault' });
  await form.getByLabel('Effect').selectOption('Latency');
  await fill('Delay in ms', 'soon');
  await click('Add');
  await page.locator('[name="fault.delay"][title^="Enter milliseconds"]:invalid').waitFor();
  await fill('Delay in ms', '5-10');
  await click('Add');
  await rowOf('5-10 ms on everything').waitFor();
  for (const effect of ['Broken body', 'Cut short', 'Lose the response']) {
    const count = mock.faults.list().length;
    await choose('Effect', effect);
    await click('Add');
    await waitFor(() => expect(mock.faults.list()).toHaveLength(count + 1));
  }
  await choose('Effect', 'Error');
  await choose('Operation', 'getPet');
  await choose('Limit', 'the next request');
  await click('Add');
  await rowOf('500 on getPet, next 1').waitFor();
  const added = [
    { status: 404, probability: 0.3 },
    { delay: '5-10' },
    { response: { body: '[{"id":1}]' } },
    { truncate: true },
    { after: 'drop' },
    { operation: 'getPet', status: 500, times: 1 },
  ];
  expect(mock.faults.list()).toMatchObject(added);
  await rowOf('5-10 ms on everything').getByRole('button', { name: 'Remove' }).click();
  await see('Turned off: 5-10 ms on everything.');
  await rowOf('5-10 ms on everything').waitFor({ state: 'detached' });
  await press('u');
  await rowOf('5-10 ms on everything').waitFor();
  await click('Turn all off');
  await see('There is no fault.');
  await see(/^Turned off: .* more\./);
  await press('u');
  await waitFor(() => expect(mock.faults.list()).toHaveLength(added.length));
});

inBrowser('held requests are counted, and go on when they are released', async () => {
  const { mock, page, see, choose, click } = await openConsole({ hash: '#/faults' });
  await choose('Effect', 'Hold');
  await choose('Operation', 'listPets');
  await choose('Limit', 'the next 3');
  await click('Add');
  await see('hold on listPets, next 3');
  await see('holds 0 requests', true);
  const sent = [1, 2].map((limit) => send(mock.url, get(`/v1/pets?limit=${limit}`)));
  const statuses = Promise.all(sent.map(async (answer) => (await answer).status));
  await see('holds 2 requests', true);
  await page.getByRole('link', { name: 'hold on listPets, next 1' }).waitFor();
  await click('Release');
  expect(await statuses).toEqual([200, 200]);
  await see('There is no fault.');
});

inBrowser('a reset restores the start, and changes of others are not undone', async () => {
  const { mock, see, click, press } = await openConsole({ mock: { animals: 3 }, hash: '#/animals' });
  mock.faults.add({ operation: 'getPet', status: 500, times: 2 });
  mock.configure({ behaviour: { order: 'random' }, now: '2030-12-04' });
  await send(mock.url, get('/v1/pets/2'));
  await see('500 on getPet, next 1');
  await click('Turn off');
  await see('Turned off: 500 on getPet, next 1.');
  await press('u');
  // Only for the request that is left.
  await waitFor(() => expect(mock.faults.list()).toMatchObject([{ times: 1, used: 0 }]));
  await click('Remove 3');
  await see('Removed animal 3.');
  mock.animals.replace([{ name: 'Of another', categoryId: 1 }]);
  await see('1 animal', true);
  await press('u');
  await see('The animals have changed since');
  expect(mock.animals.size).toBe(1);
  await click('Reset');
  await see('3 animals', true);
  await see('0 requests', true);
  expect([mock.faults.list(), mock.settings()]).toMatchObject([[], { behaviour: {}, now: null }]);
  expect(mock.snapshots()).toEqual([]);
});

inBrowser('the settings can be changed, and an ended session is not created again', async () => {
  const before = (mock: Mock) => mock.session('w1');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const opened = await openConsole({ mock: { log: 'pretty' }, before, hash: '#/state' });
  const { mock, page, origin, see, click, fill } = opened;
  await click('Freeze');
  await see('Fixed at');
  await waitFor(() => expect(Math.abs(Number(mock.settings().now) - Date.now())).toBeLessThan(60_000));
  await fill('Date of the mock', '2030-12-05');
  await page.getByRole('link', { name: 'clock 2030-12-05' }).waitFor();
  expect(mock.settings().now).toEqual(new Date('2030-12-05'));
  await click('Real time');
  await see('Real time', true);
  await click('lenient');
  await see('limit above 100: clamp');
  // One that no name has.
  mock.configure({ behaviour: { pageSize: 12 } });
  await see('page size: 12');
  await click('default');
  await see('Differs from the default: nothing');
  expect(mock.settings()).toMatchObject({ behaviour: {}, now: null });

  const session = await page.context().newPage();
  const { see: seeThere, click: clickThere } = actionsOf(session);
  // Opening the page of a session creates it.
  await session.goto(`${origin}/sessions/w2/`);
  const ownSession = session.getByLabel('Session', { exact: true });
  await waitFor(async () => expect(await ownSession.inputValue()).toBe('/sessions/w2/'));
  await waitFor(() => expect(mock.sessions()).toEqual(['w1', 'w2']));
  // The switch counts the requests of each session.
  await send(mock.url, get('/sessions/w2/v1/pets/7'));
  await send(mock.url, get('/v1/pets/8'));
  const sessions = ['no session (1)', 'w1 (0)', 'w2 (1)'];
  await waitFor(async () => expect(await ownSession.locator('option').allTextContents()).toEqual(sessions));
  // The log has the requests of others, and none of the page.
  const lines = write.mock.calls.map(([line]) => String(line)).filter((line) => / mock /.test(line));
  expect(lines).toEqual([expect.stringContaining('/pets/7'), expect.stringContaining('/pets/8')]);
  await session.getByRole('link', { name: '/v1/pets/7' }).click();
  await session.getByRole('heading', { name: 'GET /v1/pets/7' }).waitFor();
  await session.getByLabel('API key').fill('own-key');
  // A poll under way may have created it again.
  await waitFor(async () => {
    if (mock.sessions().includes('w2')) mock.endSession('w2');
    expect(await session.title()).toBe('✗ ended · w2 · Animal Store mock');
  });
  await seeThere('Session w2 has ended');
  expect(mock.sessions()).toEqual(['w1']);
  await clickThere('Reopen');
  await seeThere('120 animals');
  expect(mock.sessions()).toEqual(['w1', 'w2']);
  await session.goto(`${origin}/`);
  await session.getByRole('link', { name: '/v1/pets/8' }).click();
  await seeThere("curl -H 'authorization: Bearer own-key'");
});
