const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[^\s"{}[\],:]+|[{}[\],:]/gs;

/** The deepest nesting that is laid out over several lines. */
const MOST_LEVELS = 100;

/** Lays JSON out over several lines. White space alone changes. @returns undefined for what is not JSON, or too deep. */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let [result, levels, last] = ['', 0, ''];
  for (const [token] of text.matchAll(tokens)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) levels -= 1;
    if (isEnd ? last !== '{' && last !== '[' : /^[{[,]$/.test(last)) result += `\n${'  '.repeat(levels)}`;
    result += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') levels += 1;
    if (levels > MOST_LEVELS) return undefined;
    last = token;
  }
  return result;
}

/** A value of a JSON text; of an object or an array only the bracket that opens it. */
export interface JsonPart {
  /** From the root on, such as `.0.name`; the root itself is empty. */
  readonly path: string;
  /** Of the value, or of the name before it. */
  readonly start: number;
  readonly end: number;
}

/** Finds the values of a JSON text, which may be cut off. */
export function findJsonParts(text: string): JsonPart[] {
  const found: JsonPart[] = [];
  const open: { readonly path: string; readonly isArray: boolean; count: number }[] = [];
  let name: { readonly text: string; readonly start: number } | undefined;
  let last = '';
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (inside?.isArray === false && /^[{,]$/.test(last)) name = { text: readName(token), start: index };
    else if (token !== ',' && token !== ':') {
      const key = inside?.isArray ? inside.count++ : name?.text;
      const path = inside === undefined ? '' : `${inside.path}.${key}`;
      const start = inside?.isArray === false ? (name?.start ?? index) : index;
      found.push({ path, start, end: index + token.length });
      if (token === '{' || token === '[') open.push({ path, isArray: token === '[', count: 0 });
    }
    last = token;
  }
  return found;
}

function readName(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}
