import { randomInt, randomUUID } from 'node:crypto';
import { UUID } from '../../common/text/redact.ts';

/** Credentials of Basic, in which the valid key is the user or the password. */
export const basicCredentials = [(key: string) => `${key}:`, (key: string) => `contract-test:${key}`];

/**
 * Creates a random key of the same form as a key: each letter and digit becomes another one of its kind, and the rest stays.
 * Wrong keys are made of it, unless a server could only accept them for what they have of the valid key.
 */
export function createOtherKey(key: string): string {
  if (UUID.test(key)) return key === key.toUpperCase() ? randomUUID().toUpperCase() : randomUUID();
  const letters = /[g-z]/i.test(key) ? 'abcdefghijklmnopqrstuvwxyz' : 'abcdef';
  const kinds = ['0123456789', letters, letters.toUpperCase()];
  const other = key.replaceAll(/[\da-z]/gi, (character) => {
    const others = kinds.find((kind) => kind.includes(character))?.replace(character, '') ?? '';
    return others.charAt(randomInt(others.length));
  });
  return other === key ? 'x'.repeat(key.length) : other;
}

/** Creates keys that differ from the valid one in one respect, each with its description. None is empty. */
export function createWrongKeys(key: string): { readonly key: string; readonly description: string }[] {
  const middle = Math.floor(key.length / 2);
  const [first, between, last] = [0, middle, -1].map((index) => otherThan(key.at(index) ?? ''));
  const beyond = String.fromCharCode(key.charCodeAt(key.length - 1) + 0x100);
  const changes = {
    'with x after it': `${key}x`,
    'with x before it': `x${key}`,
    'without its last letter': key.slice(0, -1),
    'without its padding': key.replace(/=+$/, ''),
    'with its last letter changed': `${key.slice(0, -1)}${last}`,
    'with its first letter changed': `${first}${key.slice(1)}`,
    'with two letters in its middle swapped': swapLetters(key, middle),
    'with a letter in its middle changed': `${key.slice(0, middle)}${between}${key.slice(middle + 1)}`,
    'without its punctuation': UUID.test(key) ? '' : key.replaceAll(/[-_.]/g, ''),
    'with underscores for its hyphens': UUID.test(key) ? '' : key.replaceAll('-', '_'),
    'with its case swapped': UUID.test(key) ? '' : key.replaceAll(/[a-z]/gi, swapCase),
    // A server that cuts characters to bytes takes these for the key.
    'with \u0100 after it': `${key}\u0100`,
    'with its last letter beyond Latin-1': `${key.slice(0, -1)}${beyond}`,
  };
  const wrong = Object.entries(changes).filter(([, changed]) => changed !== '' && changed !== key);
  const byKey = new Map(wrong.map(([change, changed]) => [changed, `the key ${change}`]));
  return [...byKey].map(([changed, description]) => ({ key: changed, description }));
}

/** Distance of a full-width letter from the same letter in ASCII. Source: Unicode, block Halfwidth and Fullwidth Forms */
const FULL_WIDTH = 0xfee0;

function toFullWidth(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH);
}

/** Creates wrong keys that some servers fail at, or take for the valid one, since they read a part of it, or normalise it to NFKC. */
export function createFoldedKeys(key: string, otherKey: string) {
  return {
    dotted: { key: `${key}.x`, description: 'the key with .x after it' },
    // It has as many characters as the key, and more bytes in UTF-8.
    accented: {
      key: `${otherKey.slice(0, -1)}\u00e9`,
      description: 'another key with \u00e9 as its last letter',
    },
    fullWidth: { key: key.replaceAll(/[!-~]/g, toFullWidth), description: 'the key in full-width letters' },
  };
}

/** Swaps the first two letters after each other that differ, from a place on. */
function swapLetters(key: string, from: number): string {
  return key.slice(0, from) + key.slice(from).replace(/(.)(?!\1)(.)/s, '$2$1');
}

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a letter with other bits in base64 too, except for the unused bits at the end. */
function otherThan(letter: string): string {
  const place = BASE64.indexOf(letter);
  return place === -1 ? 'x' : (BASE64[(place + 16) % 48] ?? 'x');
}
