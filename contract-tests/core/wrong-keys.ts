/** What Basic would have for a user and a password, the right key being one of them. */
export const basicCredentials: readonly ((key: string) => string)[] = [
  (key) => `${key}:`,
  (key) => `contract-test:${key}`,
];

/**
 * Makes keys that differ from the right one in a single respect: its case, its punctuation, one letter. None is empty.
 *
 * @returns each with its description, as "the key with x after it".
 */
export function createWrongKeys(key: string): { readonly key: string; readonly description: string }[] {
  const middle = Math.floor(key.length / 2);
  const [first, between, last] = [0, middle, -1].map((index) => otherThan(key.at(index) ?? ''));
  const changes = {
    'with x after it': `${key}x`,
    'with x before it': `x${key}`,
    // Without the padding of base64 it may be the same key.
    'without its last letter': key.endsWith('=') ? '' : key.slice(0, -1),
    'with its last letter changed': `${key.slice(0, -1)}${last}`,
    'with its first letter changed': `${first}${key.slice(1)}`,
    'with a letter in its middle changed': `${key.slice(0, middle)}${between}${key.slice(middle + 1)}`,
    'without its punctuation': key.replaceAll(/[-_.]/g, ''),
    'with its case swapped': key.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    ),
  };
  return Object.entries(changes)
    .map(([change, changed]) => ({ key: changed, description: `the key ${change}` }))
    .filter((wrong) => wrong.key !== '' && wrong.key !== key);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A letter that stands for other bits in base64 too, and not for those at its end that may say nothing. */
function otherThan(letter: string): string {
  const place = BASE64.indexOf(letter);
  return place === -1 ? 'x' : (BASE64[(place + 16) % 48] ?? 'x');
}
