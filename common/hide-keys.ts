/**
 * Keys have no business in a URL and get there by mistake, in any spelling that percent-encoding allows: so the part of
 * the URL that holds one is left out whole. Other characters than printable ASCII are percent-encoded, for the terminal.
 */
export function hideKeys(url: string, apiKeys: readonly string[]): string {
  const printable = /[^\x21-\x7e]/.test(url) ? url.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent) : url;
  if (!holdsKey(printable, apiKeys)) return printable;
  const [path = '', ...query] = printable.split('?');
  const isInQueryAlone = !holdsKey(path, apiKeys) && holdsKey(query.join('?'), apiKeys);
  return isInQueryAlone ? `${path}?${HIDDEN}` : HIDDEN;
}

/** What stands where a key was. */
export const HIDDEN = '[hidden: it holds an API key]';

/** Whether a text holds a key. Looks at the text as it is, decoded, and decoded once more: clients have been known to encode twice. */
export function holdsKey(text: string, apiKeys: readonly string[]): boolean {
  const includesKey = (spelling: string) => apiKeys.some((key) => key !== '' && spelling.includes(key));
  if (includesKey(text) || !text.includes('%')) return includesKey(text);
  const decoded = decode(text);
  return includesKey(decoded) || includesKey(decode(decoded));
}

/** Decodes what can be decoded, byte by byte: keys are ASCII. */
function decode(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Turns line breaks and other control characters into spaces, so that a text is one line of a terminal or a log. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
