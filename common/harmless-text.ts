/**
 * What can play with a terminal or with the eye: control characters, other line breaks, what turns the direction of a text,
 * and what takes no room.
 */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Writes controls as `\n` or `\u202e`, which is how JSON, bash and zsh write them too. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, escapeChar);
}

/** Writes controls as `\u202e`, but for line feeds; JSON stays the JSON that it is. */
export function toHarmless(text: string): string {
  return text.replaceAll(CONTROLS, (char) => (char === '\n' ? char : escapeChar(char)));
}

/** Makes a text one line of a terminal or a log: line breaks and tabs are blanks, other controls `\u202e`. */
export function toOneLine(text: string): string {
  return escapeControls(text.replaceAll(/[\t-\r\x85\u2028\u2029]+/g, ' '));
}

function escapeChar(char: string): string {
  return shortEscapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
