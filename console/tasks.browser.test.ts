import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Mock } from '../mock/index.ts';
import { inBrowser } from '../tools/testing/browser.ts';
import { post, send } from '../tools/testing/http-case.ts';
import { openConsole, waitFor } from './testing/open-console.ts';

/** Most clicks, and most keys, that a task may take. Typed text counts as none, and a choice of an option as one click. */
const MOST_CLICKS = 3;
const MOST_KEYS = 6;

/** Counts what a user does. */
function createHand(page: Page) {
  const counts = { clicks: 0, keys: 0 };
  return {
    counts,
    click: async (role: 'button' | 'link' | 'textbox', name: string | RegExp) => {
      counts.clicks += 1;
      await page.getByRole(role, { name, exact: true }).first().click();
    },
    choose: async (label: string, option: string) => {
      counts.clicks += 1;
      await page.getByLabel(label, { exact: true }).selectOption(option);
    },
    press: async (...keys: string[]) => {
      for (const key of keys) {
        counts.keys += 1;
        // A user sees the focus before the next key.
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
        await page.keyboard.press(key);
      }
    },
    type: async (text: string) => {
      await page.locator('input:focus').waitFor();
      await page.keyboard.type(text);
    },
    seeField: (name: string) => page.getByRole('textbox', { name, exact: true }).waitFor(),
    see: (name: RegExp) => page.getByRole('link', { name }).waitFor(),
  };
}

/** Goes back to the requests, without a focus, and empties the clipboard. */
const START =
  "location.hash = '#/requests'; document.activeElement.blur(); navigator.clipboard.writeText('')";

type Hand = ReturnType<typeof createHand>;

interface Task {
  readonly byMouse: (hand: Hand) => Promise<unknown>;
  readonly byKeyboard: (hand: Hand) => Promise<unknown>;
  readonly isDone: (mock: Mock, page: Page) => unknown;
}

const failed = /POST \/v1\/pets/;
const detail = (page: Page) => page.getByRole('region', { name: 'Request', exact: true });

const tasks: Readonly<Record<string, Task>> = {
  'find why a POST failed': {
    byMouse: ({ click }) => click('link', failed),
    byKeyboard: ({ press }) => press('j', 'Enter'),
    isDone: (_mock, page) =>
      detail(page).getByText('name must be a string, not 7.', { exact: true }).waitFor(),
  },
  'add an animal': {
    byMouse: async ({ click, type }) => {
      await click('link', 'Animals');
      await click('textbox', 'name of the new animal');
      await type('Rex');
      await click('button', 'Add');
    },
    byKeyboard: async ({ press, seeField, type }) => {
      await press('2');
      await seeField('name of the new animal');
      await press('a');
      await type('Rex');
      await press('Enter');
    },
    isDone: (mock) => waitFor(() => expect(mock.animals.all().at(-1)).toMatchObject({ name: 'Rex' })),
  },
  'make one operation fail': {
    byMouse: async ({ click }) => {
      await click('link', failed);
      await click('button', 'Fail the next createPet');
    },
    byKeyboard: ({ press }) => press('j', 'Enter', 'f'),
    isDone: (mock) =>
      waitFor(() => expect(mock.faults.list()).toMatchObject([{ operation: 'createPet', status: 500 }])),
  },
  'send again': {
    byMouse: async ({ click }) => {
      await click('link', failed);
      await click('button', 'Send again');
    },
    byKeyboard: ({ press }) => press('j', 'Enter', 'r'),
    isDone: (mock, page) =>
      waitFor(() => {
        const [, sent] = mock.requests();
        expect(page.url()).toMatch(RegExp(`#/requests/${sent?.id}$`));
      }),
  },
  'copy as curl': {
    byMouse: async ({ click }) => {
      await click('link', failed);
      await click('button', 'Copy as curl');
    },
    byKeyboard: ({ press }) => press('j', 'Enter', 'c'),
    isDone: (mock, page) =>
      waitFor(async () =>
        expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${mock.url}/pets`),
      ),
  },
  'see one session only': {
    byMouse: ({ choose }) => choose('Session', 'w1 (0)'),
    byKeyboard: ({ press }) => press('s', 'ArrowDown'),
    isDone: (_mock, page) => page.waitForURL(/\/sessions\/w1\//),
  },
  'freeze the clock and reset': {
    byMouse: async ({ click, see }) => {
      await click('link', 'State');
      await click('button', 'Freeze');
      await see(/clock/);
      await click('button', 'Reset');
    },
    byKeyboard: async ({ press, see }) => {
      await press('4', 'Tab', 'Enter');
      await see(/clock/);
      await press('Shift+R', 'Enter');
    },
    isDone: (mock) => waitFor(() => expect([mock.settings().now, mock.countRequests()]).toEqual([null, 0])),
  },
  'read the contract of an operation': {
    byMouse: async ({ click }) => {
      await click('link', failed);
      await click('link', 'Contract');
    },
    byKeyboard: ({ press }) => press('j', 'Enter', 'd'),
    isDone: (_mock, page) => page.locator('#operations-animals-createPet.is-open').waitFor(),
  },
};

inBrowser('eight tasks take at most three clicks, or six keys', async () => {
  const before = (mock: Mock) => mock.session('w1');
  const { mock, page, origin } = await openConsole({ before });
  const counts: Record<string, string> = {};
  for (const [name, { byMouse, byKeyboard, isDone }] of Object.entries(tasks)) {
    const hand = createHand(page);
    for (const act of [byMouse, byKeyboard]) {
      mock.reset();
      await send(mock.url, post('/v1/pets', '{"name":7,"categoryId":1}'));
      if (page.url().startsWith(`${origin}/#`)) await page.evaluate(START);
      else await page.goto(`${origin}/#/requests`);
      await page.locator(`[data-row="${mock.requests()[0]?.id}"]`).waitFor();
      await act(hand);
      await isDone(mock, page);
    }
    const { clicks, keys } = hand.counts;
    counts[name] = `${clicks} clicks, ${keys} keys`;
    expect([name, clicks <= MOST_CLICKS, keys <= MOST_KEYS]).toEqual([name, true, true]);
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "add an animal": "3 clicks, 3 keys",
      "copy as curl": "2 clicks, 3 keys",
      "find why a POST failed": "1 clicks, 2 keys",
      "freeze the clock and reset": "3 clicks, 5 keys",
      "make one operation fail": "2 clicks, 3 keys",
      "read the contract of an operation": "2 clicks, 3 keys",
      "see one session only": "1 clicks, 2 keys",
      "send again": "2 clicks, 3 keys",
    }
  `);
});
