import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HTMLElement, type HTMLInputElement, Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Opens the sample page, and runs its script. */
function open(hash = '') {
  const window = new Window({ url: `file:///report.html${hash}` });
  onTestFinished(() => window.happyDOM.close());
  const { document, location } = window;
  document.write(read('sample-page.txt'));
  const scrolled: string[] = [];
  window.HTMLElement.prototype.scrollIntoView = function scroll() {
    scrolled.push(this.id);
  };
  const globals = {
    document,
    location,
    addEventListener: window.addEventListener.bind(window),
  };
  const run = new Function(...Object.keys(globals), read('page.js'));
  run(...Object.values(globals));
  const find = (selector: string) => document.querySelector(selector) as HTMLElement;
  const search = find('input[type=search]') as HTMLInputElement;
  return {
    window,
    find,
    search,
    scrolled,
    press: (key: string, target: HTMLElement) => {
      const event = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      target.dispatchEvent(event);
      return event.defaultPrevented;
    },
    type: (text: string) => {
      search.value = text;
      search.dispatchEvent(new window.Event('input'));
    },
    /** Ids of elements, or their first lines. */
    list: (selector: string) =>
      [...document.querySelectorAll(selector)].map((one) => one.id || one.textContent.trim().split('\n')[0]),
  };
}

const WITH_SCRIPT = '.theme, .copy, input[type=search]';

test('what needs a script is shown by the script, and times are those of the reader', () => {
  const { list, find } = open();
  expect([list(`:is(${WITH_SCRIPT})[hidden]`), list(WITH_SCRIPT).length > 4]).toEqual([[], true]);
  const iso = '2026-11-23T10:00:00.000Z';
  const local = new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  expect([find('time').textContent, find('time').title]).toEqual([local, iso]);
});

const VISIBLE = '.item:not([hidden])';

test('the search shows what has a text in any case, opens the folds of it, and closes them again', () => {
  const { list, type, find, search, press } = open();
  const [all, sections, opened] = [VISIBLE, 'main section:not([hidden])', 'details[open]'].map(list);
  const nothing = find('.nothing');
  type('  STORE has ');
  // The group has the reason, and its rows do not.
  expect([list(VISIBLE), nothing.textContent]).toEqual([[], 'No match for "STORE has".']);
  type('the sentence of LIST-pets/eight');
  expect(list(VISIBLE)).toEqual(['list-pets/eight']);
  expect(list('main section:not([hidden]) > h2')).toEqual(['Not tested']);
  expect(list('.group[open]:not([hidden]) > summary > span:first-child')).toEqual([
    'the store has 3 animals',
  ]);
  expect(nothing.textContent).toBe('');
  type('sentence of errors/3');
  // A failure in a fold of its finding.
  expect(list(VISIBLE)).toEqual(['get-pet/many']);
  expect(find('[id="get-pet/many"] .also').hasAttribute('open')).toBe(true);
  expect(press('Escape', find('h1'))).toBe(false);
  expect(search.value).not.toBe('');
  press('Escape', search);
  expect([search.value, nothing.textContent]).toEqual(['', '']);
  expect([VISIBLE, 'main section:not([hidden])', 'details[open]'].map(list)).toEqual([all, sections, opened]);
});

test('a slash begins a search, and is a letter in it', () => {
  const { window, press, search, find } = open();
  expect([press('a', find('h1')), window.document.activeElement === search]).toEqual([false, false]);
  expect([press('/', find('h1')), window.document.activeElement === search]).toEqual([true, true]);
  expect(press('/', search)).toBe(false);
});

test('j and k go from finding to finding that is shown, and a letter of the search does not', () => {
  const { window, list, press, find, search, scrolled } = open();
  // happy-dom has no layout: what the script hides is not shown.
  window.HTMLElement.prototype.checkVisibility = function isShown() {
    return !this.hidden;
  };
  const all = list('.finding');
  expect(all.length).toBeGreaterThan(3);
  const go = (keys: string) => {
    for (const key of keys) press(key, find('h1'));
    return window.document.activeElement?.id;
  };
  expect([go('j'), go('j'), go('jk'), go('k'), go('k')]).toEqual([all[0], all[1], all[1], all[0], all[0]]);
  expect(scrolled.at(-1)).toBe(all[0]);
  press('j', search);
  expect(window.document.activeElement?.id).toBe(all[0]);
  find(`[id="${all[1]}"]`).hidden = true;
  expect(go('j')).toBe(all[2]);
  expect(go('j'.repeat(all.length))).toBe(all.at(-1));
});

test('a filter unfolds its section', () => {
  const { window, find, list } = open();
  const radio = find('#show-passed') as HTMLInputElement;
  radio.dispatchEvent(new window.Event('change'));
  expect(list('section[data-kind="passed"] > .group:not([open])')).toEqual([]);
  expect(list('section[data-kind="not-tested"] > .group:not([open])')).toHaveLength(2);
});

test('a link to a clause unfolds it and leads there, whatever was chosen and searched', () => {
  const { window, find, scrolled, search, type } = open('#errors/3');
  expect(scrolled).toEqual(['errors/3']);
  expect(find('[id="errors/3"]').hasAttribute('open')).toBe(true);
  expect(find('[id="get-pet/many"] .also').hasAttribute('open')).toBe(true);
  type('nothing has this');
  (find('#show-passed') as HTMLInputElement).checked = true;
  window.location.hash = '#list-pets/eight';
  window.dispatchEvent(new window.Event('hashchange'));
  expect([scrolled.at(-1), search.value]).toEqual(['list-pets/eight', '']);
  expect((find('#show-all') as HTMLInputElement).checked).toBe(true);
  expect(find('[id="list-pets/eight"]').closest('details')?.hasAttribute('open')).toBe(true);
  const { scrolled: nowhere } = open('#%');
  expect(nowhere).toEqual([]);
});
