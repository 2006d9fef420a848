import { expect, onTestFinished, vi } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { inBrowser } from '../tools/testing/browser.ts';
import { get, send } from '../tools/testing/http-case.ts';
import { actionsOf, openConsole, waitFor } from './testing/open-console.ts';

inBrowser('animals can be added, changed, removed and restored, with exact ids', async () => {
  const big = 9223372036854775807n;
  const hash = '#/animals?text=nothing-has-this';
  const { mock, page, see, click, follow, press } = await openConsole({ mock: { animals: 30 }, hash });
  await see('No animal matches');
  await press('Escape');
  await see('20 of 30, newest first');
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
  await see('Added Rex 👩‍🚀.');
  await follow(`Edit ${big}`);
  await page.keyboard.type('no');
  await click('Cancel');
  await follow(`Edit ${big}`);
  const edit = page.getByRole('form', { name: `Edit ${big}` });
  expect(await edit.getByLabel('name').inputValue()).toBe('Rex 👩‍🚀');
  await edit.getByLabel('name').fill('Max');
  await edit.getByLabel('status').selectOption('sold');
  await click('Save');
  await click(`Remove ${big}`);
  await see('20 of 30');
  await page.locator('[data-row="30"]:focus').waitFor();
  await click('Remove 30');
  await see('20 of 29');
  await press('u');
  await see('20 of 30');
  await press('u');
  await page.getByRole('link', { name: `Edit ${big}` }).waitFor();
  expect(mock.animals.get(big)).toEqual({ id: big, name: 'Max', categoryId: big, status: 'sold' });
  // An edit is undone too.
  await press('u');
  await waitFor(() => expect(mock.animals.get(big)).toMatchObject({ name: 'Rex 👩‍🚀' }));
  // The page uses the control API, so tests that count requests are not disturbed.
  expect(mock.requests()).toEqual([]);
});

inBrowser('faults can be added, turned off and on, and removed one by one', async () => {
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
  await page.getByRole('alert').getByText('Enter milliseconds').waitFor();
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
  await fill('% of requests', '5');
  await press('Enter');
  await rowOf('5 % 500 on getPet, next 1').waitFor();
  expect(mock.faults.list()).toMatchObject([
    { status: 404, probability: 0.3 },
    { delay: '5-10' },
    { response: { body: '[{"id":1}]' } },
    { truncate: true },
    { after: 'drop' },
    { operation: 'getPet', status: 500, times: 1, probability: 0.05 },
  ]);
  await choose('Operation', 'listPets');
  await rowOf('30 % 404 on everything').getByRole('switch', { checked: true }).click();
  await rowOf('30 % 404 on everything').getByText('off').waitFor();
  await page.reload();
  await rowOf('30 % 404 on everything').getByRole('switch', { checked: false }).click();
  await waitFor(() => expect(mock.faults.list().at(-1)).toMatchObject({ status: 404, probability: 0.3 }));
  await rowOf('5-10 ms on everything').getByRole('button', { name: 'Remove' }).click();
  await see('Turned off: 5-10 ms on everything.');
  await rowOf('5-10 ms on everything').waitFor({ state: 'detached' });
  await press('u');
  await rowOf('5-10 ms on everything').getByRole('switch', { checked: true }).waitFor();
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

inBrowser('a reset and profiles can be undone, but not changes by others', async () => {
  const { mock, see, click, press } = await openConsole({ mock: { animals: 3 }, hash: '#/state' });
  mock.animals.remove(1);
  mock.faults.add({ operation: 'getPet', status: 500, times: 2 });
  mock.configure({ behaviour: { order: 'random' }, now: '2030-12-04' });
  await send(mock.url, get('/v1/pets/2'));
  await see('500 on getPet, next 1');
  await click('Reset');
  await see('Reset. Undo');
  expect([mock.animals.size, mock.faults.list(), mock.settings().behaviour]).toEqual([3, [], {}]);
  await click('Undo');
  await waitFor(() => expect(mock.faults.list()).toMatchObject([{ operation: 'getPet', times: 1 }]));
  const settings = { behaviour: { order: 'random' }, now: new Date('2030-12-04') };
  expect([mock.animals.size, mock.settings()]).toMatchObject([2, settings]);
  await click('Fill with default');
  await see('Replaced the animals with default');
  mock.animals.replace([{ name: 'Of another', categoryId: 1 }]);
  await see('1 animal', true);
  await click('Undo');
  await see('The animals have changed since');
  expect(mock.animals.size).toBe(1);
  // The changes of the page are undone one by one.
  await click('Fill with edge-cases');
  await see('Replaced the animals with edge-cases');
  const many = mock.animals.size;
  await click('Fill with empty');
  await see('Replaced the animals with empty');
  await press('u');
  await see(`${many} animals`, true);
  await press('u');
  await waitFor(() => expect(mock.animals.all()).toMatchObject([{ name: 'Of another' }]));
  expect(mock.snapshots()).toEqual([]);
});

inBrowser('the settings can be changed, and an ended session is not created again', async () => {
  const before = (mock: Mock) => mock.session('w1');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const opened = await openConsole({ mock: { log: 'pretty' }, before, hash: '#/state' });
  const { mock, page, origin, see, click, choose, fill, goTo } = opened;
  await click('Freeze');
  await see('Fixed at');
  await waitFor(() => expect(Math.abs(Number(mock.settings().now) - Date.now())).toBeLessThan(60_000));
  await click('5 December 2030');
  await see('is removed and returns 404');
  await page.getByRole('link', { name: 'clock 2030-12-05' }).waitFor();
  await fill('Date of the mock', '2030-12-04');
  await see('works');
  expect(mock.settings().now).toEqual(new Date('2030-12-04'));
  await click('Real time');
  await see('Real time: getPet');
  await click('lenient');
  await see('limit above 100: clamp');
  await page.getByText('Set each choice').click();
  await choose('page size', '25');
  await see('page size: 25');
  // A value that is in no list, such as one that was learned, is shown as the chosen one.
  mock.configure({ behaviour: { pageSize: 12 } });
  await see('page size: 12');
  expect(await page.getByLabel('page size').inputValue()).toBe('12');
  await choose('page size', '7');
  await see('page size: 7');
  await click('default');
  await see('Differs from the default: nothing');
  await choose('order', 'oldest');
  await see('order: oldest');
  await fill('API keys', 'one two');
  await click('Replace keys');
  await see('2 accepted');
  expect(mock.settings()).toMatchObject({ behaviour: { order: 'oldest' }, now: null });
  // The page shows a key that the mock accepts.
  await goTo('#/set-up');
  await see("Bearer one'");
  await goTo('#/state');
  await click('Reset');
  await see('1 accepted');
  await goTo('#/set-up');
  await see("Bearer test-key'");
  await goTo('#/state');

  const session = await page.context().newPage();
  const { see: seeThere, click: clickThere } = actionsOf(session);
  // Opening the page of a session creates it.
  await session.goto(`${origin}/sessions/w2/`);
  const ownSession = session.getByLabel('Session', { exact: true });
  await waitFor(async () => expect(await ownSession.inputValue()).toBe('/sessions/w2/'));
  await waitFor(() => expect(mock.sessions()).toEqual(['w1', 'w2']));
  // Requests of all sessions are one list, and each leads to its session.
  await send(mock.url, get('/sessions/w2/v1/pets/7'));
  await send(mock.url, get('/v1/pets/8'));
  const sessions = ['no session (1)', 'w1 (0)', 'w2 (1)', 'all sessions (2)'];
  await waitFor(async () => expect(await ownSession.locator('option').allTextContents()).toEqual(sessions));
  await ownSession.selectOption('all sessions (2)');
  await seeThere('the latest 2 requests of all sessions');
  // The log has the requests of others, and none of the page.
  const lines = write.mock.calls.map(([line]) => String(line)).filter((line) => / mock /.test(line));
  expect(lines).toEqual([expect.stringContaining('/pets/7'), expect.stringContaining('/pets/8')]);
  await session.getByRole('link', { name: 'w2 /v1/pets/7' }).click();
  await session.waitForURL(`${origin}/sessions/w2/#/requests/1`);
  await session.getByRole('heading', { name: 'GET /v1/pets/7' }).waitFor();
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
});
