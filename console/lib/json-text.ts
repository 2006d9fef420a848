const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[^\s"{}[\],:]+|[{}[\],:]/gs;

/** Deepest nesting that is formatted. */
const MOST_LEVELS = 100;

/** Formats JSON over several lines; only white space changes. @returns undefined for other texts and deep nesting */
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

/**
 * Finds the values of a JSON text, which may be cut. The path is such as `.0.name`. A part starts at the value or at the name
 * before it, and ends after the value; for an object or array after its opening bracket.
 */
export function findJsonParts(text: string) {
  const found: { readonly path: string; readonly start: number; readonly end: number }[] = [];
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
