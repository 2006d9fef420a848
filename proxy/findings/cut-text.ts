/**
 * Cuts a text, but not in the middle of a surrogate pair. The text has no keys, because half a key would not be recognized. The
 * beginning is a copy: V8 keeps all of a string in memory for a part of it.
 */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
  return Buffer.from(`${start}…`, 'utf16le').toString('utf16le');
}
