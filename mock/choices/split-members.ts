/** Splits the text of a valid JSON object into the names of its members and the sources of their values. */
export function splitMembers(text: string): [name: string, source: string][] {
  const members: [string, string][] = [];
  let depth = 0;
  let start = text.indexOf('{') + 1;
  let colon = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (depth === 1 && token === ':') colon = index;
    if (depth === 1 && colon > start && /[,}]/.test(token[0] ?? '')) {
      members.push([JSON.parse(text.slice(start, colon)), text.slice(colon + 1, index).trim()]);
      start = index + 1;
    }
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
  }
  return members;
}
