/** A key that is almost the right one. */
export interface WrongKey {
  readonly key: string;
  /** What a shell makes the same of, within double quotes, out of a variable that holds the right one. */
  readonly expression: string;
}

/** What Basic would have for a user and a password, the right key being one of them. */
export const basicCredentials: readonly ((key: string) => string)[] = [
  (key) => `${key}:`,
  (key) => `contract-test:${key}`,
];

/** Makes keys that differ from the right one in a single respect: its case, its punctuation, one character. None is empty. */
export function createWrongKeys(key: string, variable: string): WrongKey[] {
  const middle = Math.floor(key.length / 2);
  const [first, between, last] = [0, middle, -1].map((index) => otherThan(key.at(index) ?? ''));
  // Without the padding of base64 it may be the same key.
  const isPadded = key.endsWith('=');
  const wrong = [
    { key: `${key}x`, expression: `\${${variable}}x` },
    { key: `x${key}`, expression: `x\${${variable}}` },
    ...(isPadded ? [] : [{ key: key.slice(0, -1), expression: `\${${variable}%?}` }]),
    { key: `${key.slice(0, -1)}${last}`, expression: `\${${variable}%?}${last}` },
    { key: `${first}${key.slice(1)}`, expression: `${first}\${${variable}#?}` },
    {
      key: `${key.slice(0, middle)}${between}${key.slice(middle + 1)}`,
      expression: `\${${variable}:0:${middle}}${between}\${${variable}:${middle + 1}}`,
    },
    { key: key.replaceAll(/[-_.]/g, ''), expression: `\${${variable}//[-_.]/}` },
    { key: swapCase(key), expression: `$(printf %s "$${variable}" | tr a-zA-Z A-Za-z)` },
  ];
  return wrong.filter((other) => other.key !== '' && other.key !== key);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A letter that stands for other bits in base64 too, and not for those at its end that may say nothing. */
function otherThan(letter: string): string {
  const place = BASE64.indexOf(letter);
  return place === -1 ? 'x' : (BASE64[(place + 16) % 48] ?? 'x');
}

function swapCase(key: string): string {
  return key.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
