/** A token of JSON, or white space before one. Source: RFC 8259 */
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none of them in a string.
  /[ \t\n\r]*(?:("(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([[\]{},:]))/y;

/** What may come next: a value, a name, a comma or the end of what is open, a colon. */
type State = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'next';

/**
 * Says where a text stops being JSON: "at its end, where a value should be", or "at character 17 of line 1". It shows nothing of
 * the text, which may hold a part of a key.
 *
 * @returns undefined for JSON.
 */
export function findJsonFault(text: string): string | undefined {
  const open: string[] = [];
  let state: State = 'value';
  let index = 0;
  const tell = (wanted: string) => describePlace(text, skipBlanks(text, index), wanted);
  while (state !== 'next' || open.length > 0) {
    token.lastIndex = index;
    const [whole = '', string, number, word, sign = ''] = token.exec(text) ?? [];
    const isName = string !== undefined && (state === 'name' || state === 'first name');
    const isValue =
      (string ?? number ?? word) !== undefined && (state === 'value' || state === 'first value');
    const closes = open.at(-1);
    if (isName) state = 'colon';
    else if (isValue) state = 'next';
    else if (state === 'colon' && sign === ':') state = 'value';
    else if (state === 'next' && sign === ',') state = closes === '}' ? 'name' : 'value';
    else if (sign === closes && sign !== undefined && (state === 'next' || state.startsWith('first'))) {
      open.pop();
      state = 'next';
    } else if (state.endsWith('value') && (sign === '{' || sign === '[')) {
      open.push(sign === '{' ? '}' : ']');
      state = sign === '{' ? 'first name' : 'first value';
    } else return tell(wants(state, closes));
    index += whole.length;
  }
  const rest = skipBlanks(text, index);
  return rest < text.length ? describePlace(text, rest, 'nothing more') : undefined;
}

function wants(state: State, closes: string | undefined): string {
  if (state.endsWith('name')) return 'a name in double quotes';
  if (state.endsWith('value')) return 'a value';
  return state === 'colon' ? 'a colon' : `a comma or ${closes}`;
}

function skipBlanks(text: string, start: number): number {
  let index = start;
  while (' \t\n\r'.includes(text[index] ?? '.')) index += 1;
  return index;
}

function describePlace(text: string, index: number, wanted: string): string {
  if (index >= text.length) return `at its end, where ${wanted} should be`;
  const lines = text.slice(0, index).split('\n');
  const place = `at character ${(lines.at(-1) ?? '').length + 1} of line ${lines.length}`;
  return `${place}, where ${wanted} should be`;
}
