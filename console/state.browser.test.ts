import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { inBrowser, measureWidth } from '../testing/browser.ts';
import { openConsole, waitFor } from './testing/open-console.ts';

inBrowser('all edge cases fit a small screen, and Escape empties the filter', async () => {
  const options = {
    mock: { profile: 'edge-cases' },
    hash: '#/animals?limit=100&text=nothing-has-this',
  } as const;
  const { mock, page } = await openConsole({ ...options, viewport: { width: 360, height: 800 } });
  await page.getByText('No animal matches').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Remove/ })
    .nth(19)
    .waitFor();
  expect(await measureWidth(page)).toBe(360);
  expect(mock.requests()).toEqual([]);
  // The address of an animal opens it, also outside the list.
  await page.evaluate("location.hash = '#/animals/500'");
  await page.getByText('No animal has the id 500.').waitFor();
});

inBrowser('animals can be added, changed, removed and restored, with exact ids', async () => {
  const big = 9223372036854775807n;
  const { mock, page } = await openConsole({ mock: { animals: 30 }, hash: '#/animals' });
  await page.getByText('20 of 30, newest first').waitFor();
  await page.getByText('Add an animal').click();
  const form = page.getByRole('form', { name: 'Add an animal' });
  await form.getByLabel('name').fill('Rex');
  await form.getByLabel('categoryId').fill('many');
  await form.getByRole('button', { name: 'Add' }).click();
  expect(await form.getByRole('alert').innerText()).toMatch(
    /^✗ 400 The animal: categoryId must be an integer from .* not "many"\.$/,
  );
  // The typed text stays, also after a reload.
  await page.reload();
  expect(await form.getByLabel('categoryId').inputValue()).toBe('many');
  await form.getByLabel('categoryId').fill(String(big));
  await form.getByLabel('id, or the next').fill(String(big));
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: `Remove ${big}` }).waitFor();
  await page.getByRole('link', { name: `Edit ${big}` }).click();
  await page.keyboard.type('no');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: `Edit ${big}` }).click();
  const edit = page.getByRole('form', { name: `Edit ${big}` });
  expect(await edit.getByLabel('name').inputValue()).toBe('Rex');
  await edit.getByLabel('name').fill('Max');
  await edit.getByLabel('status').selectOption('sold');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Remove ${big}` }).click();
  await page.getByText('20 of 30').waitFor();
  await page.locator('[data-row="30"]:focus').waitFor();
  await page.getByRole('button', { name: 'Remove 30' }).click();
  await page.getByText('20 of 29').waitFor();
  await page.keyboard.press('u');
  await page.getByText('20 of 30').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('link', { name: `Edit ${big}` }).waitFor();
  expect(mock.animals.get(big)).toEqual({ id: big, name: 'Max', categoryId: big, status: 'sold' });
  // An edit is undone too.
  await page.keyboard.press('u');
  await waitFor(() => expect(mock.animals.get(big)).toMatchObject({ name: 'Rex' }));
  // The page uses the control API, so tests that count requests are not disturbed.
  expect(mock.requests()).toEqual([]);
});

inBrowser('faults can be turned on and off one by one', async () => {
  const { mock, page } = await openConsole({ hash: '#/faults' });
  const turn = (name: string) => page.getByRole('switch', { name, exact: true }).click();
  await page.getByLabel('ms: 200').fill('5-10');
  for (const name of ['Latency', 'Error rate', 'getPet', 'Broken body', 'Drop']) {
    const count = mock.faults.list().length;
    await turn(name);
    await waitFor(() => expect(mock.faults.list()).toHaveLength(count + 1));
  }
  expect(mock.faults.list()).toMatchObject([
    { delay: '5-10' },
    { status: 500, probability: 0.05 },
    { operation: 'getPet', status: 500 },
    { response: { body: '[{"id":1}]' } },
    { drop: true, probability: 1 },
  ]);
  await turn('Error rate');
  await page.getByRole('switch', { name: 'Error rate', checked: false }).waitFor();
  // An active fault changes with its field. If the field is invalid, the fault stays.
  await page.getByLabel('ms: 200').fill('7');
  await page.keyboard.press('Enter');
  await page.getByText('7 ms on everything').waitFor();
  await page.getByLabel('ms: 200').fill('soon');
  await page.keyboard.press('Enter');
  await page.locator('[name="fault.delay"]:invalid').waitFor();
  await page.getByText('7 ms on everything').waitFor();
  // A switch shows faults of others too. Turning them off can be undone.
  mock.faults.add({ operation: 'listPets', status: 503 });
  await page.getByText('503 on listPets').waitFor();
  await page.getByRole('switch', { name: 'listPets', checked: true }).waitFor();
  await turn('listPets');
  await page.getByText('Turned off: 503 on listPets.').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('switch', { name: 'listPets', checked: true }).waitFor();
});

inBrowser('a reset and profiles can be undone, and the settings can be changed', async () => {
  const { mock, page, origin } = await openConsole({ mock: { animals: 3 }, hash: '#/state' });
  // Several changes have an undo at the same time.
  const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click();
  await press('Take a snapshot');
  await page.getByRole('button', { name: 'Restore one' }).waitFor();
  mock.animals.remove(1);
  await press('Restore one');
  await waitFor(() => expect(mock.animals.size).toBe(3));
  mock.animals.remove(1);
  mock.faults.add({ operation: 'getPet', status: 500, times: 2 });
  mock.configure({ order: 'random', now: '2030-12-04' });
  await page.getByText('500 on getPet').waitFor();
  await press('Reset');
  await page.getByText('Reset. Undo').waitFor();
  expect([mock.animals.size, mock.faults.list(), mock.settings().order]).toEqual([3, [], 'newest']);
  await press('Undo');
  await waitFor(() => expect(mock.faults.list()).toMatchObject([{ operation: 'getPet', times: 2 }]));
  expect([mock.animals.size, mock.settings()]).toMatchObject([
    2,
    { order: 'random', now: new Date('2030-12-04') },
  ]);
  // Changes by others are not undone.
  await press('Fill with default');
  await page.getByText('The store has the animals of default').waitFor();
  mock.animals.replace([{ name: 'Of another', categoryId: 1 }]);
  await page.getByText('1 animal', { exact: true }).waitFor();
  await press('Undo');
  await page.getByText('The animals have changed since').waitFor();
  expect(mock.animals.size).toBe(1);
  // The changes of the page are undone one by one.
  await press('Fill with edge-cases');
  await page.getByText('The store has the animals of edge-cases').waitFor();
  const many = mock.animals.size;
  await press('Fill with empty');
  await page.getByText('The store has the animals of empty').waitFor();
  await page.keyboard.press('u');
  await page.getByText(`${many} animals`, { exact: true }).waitFor();
  await page.keyboard.press('u');
  await waitFor(() => expect(mock.animals.all()).toMatchObject([{ name: 'Of another' }]));
  expect(mock.snapshots()).toEqual(['one']);
  await press('5 December 2030');
  await page.getByText('is removed: 404').waitFor();
  await page.getByRole('link', { name: 'clock 2030-12-05' }).waitFor();
  await page.getByLabel('Day of the mock').fill('2030-12-04');
  await page.getByText('works').waitFor();
  expect(mock.settings().now).toEqual(new Date('2030-12-04'));
  await press('Real time');
  await page.getByText('The real time').waitFor();
  await page.getByLabel('Name').first().fill('');
  await press('Take a snapshot');
  await page.locator('[name="snapshot"]:invalid:focus').waitFor();
  await page.getByLabel('Order of lists').selectOption('oldest');
  await page.getByLabel('A limit outside 1 to 100').selectOption('clamp');
  await page.getByLabel('API keys').fill('one two');
  await press('Accept only these');
  await page.getByText('2 accepted now').waitFor();
  expect(mock.settings()).toMatchObject({ order: 'oldest', limitPolicy: 'clamp', now: null });
  await page.getByLabel('Name').last().fill('w7');
  await press('Open');
  await page.waitForURL(`${origin}/sessions/w7/`);
  await page.getByText('session w7').waitFor();
});

inBrowser('an ended session is not created again by a page that shows it', async () => {
  const before = (mock: Mock) => mock.session('w1');
  const { mock, page, origin } = await openConsole({ before, hash: '#/state' });
  const other = await page.context().newPage();
  // Opening the page creates the session.
  await other.goto(`${origin}/sessions/w2/`);
  await other.getByText('120 animals').waitFor();
  const end = (name: string) => page.getByRole('button', { name: `End ${name}` });
  await waitFor(() => expect(mock.sessions()).toEqual(['w1', 'w2']));
  await page.reload();
  await end('w2').click();
  await end('w2').waitFor({ state: 'detached' });
  await page.getByText('Session w2 ends in ten seconds').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await end('w2').click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await other.getByText('Session w2 has ended').waitFor();
  expect(await other.title()).toBe('✗ ended · w2 · Animal Store mock');
  expect(mock.sessions()).toEqual(['w1']);
  await other.getByRole('button', { name: 'Open it again' }).click();
  await other.getByText('120 animals').waitFor();
  expect(mock.sessions()).toEqual(['w1', 'w2']);
});
