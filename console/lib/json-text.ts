/** Formats JSON over several lines, with its numbers as sent. @returns undefined for other texts */
export function formatJson(text: string): string | undefined {
  try {
    const value = JSON.parse(text, (_key, member, { source = '' }) =>
      typeof member === 'number' ? JSON.rawJSON(source) : member,
    );
    return JSON.stringify(value, undefined, 2);
  } catch {
    return undefined;
  }
}

const tokens = /("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|[^\s"{}[\],:]+|[{}[\],]/gs;

/**
 * Finds the values of a JSON text, which may be cut. The path is such as `.0.name`. A part starts at the value or at the name
 * before it, and ends after the value; for an object or array after its opening bracket.
 */
export function findJsonParts(text: string) {
  const found: { readonly path: string; readonly start: number; readonly end: number }[] = [];
  const open: { readonly path: string; key: string | number }[] = [];
  let start: number | undefined;
  for (const { 0: token, 1: quoted = '', 2: colon, index } of text.matchAll(tokens)) {
    const inside = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof inside?.key === 'number') inside.key += 1;
    else if (colon !== undefined && inside !== undefined) {
      inside.key = quoted.slice(1, -1);
      start = index;
    } else if (token !== ',') {
      const path = inside === undefined ? '' : `${inside.path}.${inside.key}`;
      found.push({ path, start: start ?? index, end: index + token.length });
      if (token === '{' || token === '[') open.push({ path, key: 0 });
      start = undefined;
    }
  }
  return found;
}
