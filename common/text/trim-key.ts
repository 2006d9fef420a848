/** Removes line breaks at the end of a key, which a file, an editor or `echo` leaves there. */
export function trimKey(text: string): string {
  return text.replace(/[\r\n]+$/, '');
}

/** Describes a space before or after a key, or a key without a character, to be read after "must not". */
export function describeEnds(key: string): string | undefined {
  if (key.trim() === '') return 'be empty';
  if (key.startsWith(' ')) return 'begin with a space';
  return key.endsWith(' ') ? 'end with a space' : undefined;
}

const namesOfControls: Readonly<Record<string, string>> = {
  '\0': 'a NUL',
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a carriage return',
  '\u00a0': 'a no-break space',
  '\ufeff': 'a byte order mark',
};

/** Radix and width of a code point in the notation of Unicode. */
const HEXADECIMAL = 16;
const LEAST_DIGITS = 4;

/**
 * Describes the first character of a key that nobody can see, such as `a tab (U+0009), which is its character 5`. A space is left
 * out, since messages about spaces name it.
 */
export function describeControl(key: string): string | undefined {
  const characters = Array.from(key);
  const index = characters.findIndex((char) => char !== ' ' && /[\p{Cc}\p{Cf}\p{Z}]/u.test(char));
  const char = characters[index];
  if (char === undefined) return undefined;
  const code = char.codePointAt(0)?.toString(HEXADECIMAL).toUpperCase().padStart(LEAST_DIGITS, '0');
  return `${namesOfControls[char] ?? 'an invisible character'} (U+${code}), which is its character ${index + 1}`;
}
