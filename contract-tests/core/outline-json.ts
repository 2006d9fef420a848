/** The fields that clauses look at: those of an animal, of an Error and of a message, in quotes. */
const fields = new Set(
  ['id', 'name', 'categoryId', 'status', 'code', 'message', 'createdAt'].map((name) => `"${name}"`),
);

/** The most elements of a list that are kept: no list may have more than 100. */
export const MOST_ELEMENTS = 500;

/**
 * Cuts out of a JSON text what clauses look at: of a list the first 500 elements, of an object, or one in the list, the
 * known fields. An array or an object anywhere else becomes an empty one.
 *
 * @param json is valid.
 */
export function outlineJson(json: string): string {
  const start = skipBlanks(json, 0);
  return json[start] === '[' ? outlineList(json, start) : outlineElement(json, start, skipValue(json, start));
}

function outlineList(json: string, start: number): string {
  const elements: string[] = [];
  let index = skipBlanks(json, start + 1);
  while (json[index] !== ']' && elements.length < MOST_ELEMENTS) {
    const end = skipValue(json, index);
    elements.push(outlineElement(json, index, end));
    index = skipComma(json, end);
  }
  return `[${elements.join()}]`;
}

function outlineElement(json: string, start: number, end: number): string {
  if (json[start] !== '{') return outlineMember(json, start, end);
  const members: string[] = [];
  let index = skipBlanks(json, start + 1);
  while (json[index] !== '}') {
    const endOfName = skipValue(json, index);
    const name = json.slice(index, endOfName);
    const value = skipBlanks(json, skipBlanks(json, endOfName) + 1);
    const endOfValue = skipValue(json, value);
    // A name with an escape may be any.
    if (fields.has(name) || name.includes('\\'))
      members.push(`${name}:${outlineMember(json, value, endOfValue)}`);
    index = skipComma(json, endOfValue);
  }
  return `{${members.join()}}`;
}

function outlineMember(json: string, start: number, end: number): string {
  if (json[start] === '[') return '[]';
  return json[start] === '{' ? '{}' : json.slice(start, end);
}

/** @returns where the next element or member begins, or the end of all. */
function skipComma(json: string, end: number): number {
  const index = skipBlanks(json, end);
  return json[index] === ',' ? skipBlanks(json, index + 1) : index;
}

function skipBlanks(json: string, start: number): number {
  let index = start;
  while (' \t\n\r'.includes(json[index] ?? 'x')) index += 1;
  return index;
}

/** @returns the end of the value that begins there. */
function skipValue(json: string, start: number): number {
  let depth = 0;
  let index = start;
  do {
    const first = json[index];
    if (first === '[' || first === '{') depth += 1;
    else if (first === ']' || first === '}') depth -= 1;
    index = first === '"' ? skipString(json, index) : index + 1;
  } while (depth > 0);
  if (!'"[{'.includes(json[start] ?? '')) while (/[^\s,\]}]/.test(json[index] ?? ',')) index += 1;
  return index;
}

function skipString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes is before it. */
function isEscaped(json: string, index: number): boolean {
  let first = index;
  while (json[first - 1] === '\\') first -= 1;
  return (index - first) % 2 === 1;
}
