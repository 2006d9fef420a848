/** A key that is almost the right one. */
export interface WrongKey {
  readonly key: string;
  /** What a shell makes the same of, within double quotes, out of a variable that holds the right one. */
  readonly expression: string;
}

/** Makes keys that differ from the right one in a single respect: its case, or one character. None is empty. */
export function createWrongKeys(key: string, variable: string): WrongKey[] {
  const middle = Math.floor(key.length / 2);
  const [first, between, last] = [0, middle, -1].map((index) => otherThan(key.at(index)));
  const wrong = [
    { key: `${key}x`, expression: `\${${variable}}x` },
    { key: `x${key}`, expression: `x\${${variable}}` },
    { key: key.slice(0, -1), expression: `\${${variable}%?}` },
    { key: `${key.slice(0, -1)}${last}`, expression: `\${${variable}%?}${last}` },
    { key: `${first}${key.slice(1)}`, expression: `${first}\${${variable}#?}` },
    {
      key: `${key.slice(0, middle)}${between}${key.slice(middle + 1)}`,
      expression: `\${${variable}:0:${middle}}${between}\${${variable}:${middle + 1}}`,
    },
    { key: swapCase(key), expression: `$(printf %s "$${variable}" | tr a-zA-Z A-Za-z)` },
  ];
  return wrong.filter((other) => other.key !== '' && other.key !== key);
}

function otherThan(letter: string | undefined): string {
  return letter === 'x' ? 'y' : 'x';
}

function swapCase(key: string): string {
  return key.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
