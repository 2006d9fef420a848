/**
 * What can play with a terminal or with the eye: control characters, other line breaks, what turns the direction of a text,
 * and what takes no room.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character of what CI runners take for a command: `##[name]` and `##vso[name]` anywhere, `::name::` at the start of a line. */
const COMMANDS = /(?<=#)#(?=\w*\[)|(?<=^\s*):(?=:)/gm;

/**
 * Writes controls as `\n`, `\u202e` or, above U+FFFF, `\U000e0041`, which is how bash and zsh write them too, and breaks
 * commands of CI runners.
 */
export function escapeControls(text: string): string {
  const escaped = text.replaceAll(CONTROLS, (char) =>
    char.length === 1 ? escapeChar(char) : `\\U${char.codePointAt(0)?.toString(16).padStart(8, '0')}`,
  );
  return breakCommands(escaped);
}

/** Breaks commands of CI runners by escaping a character of each: `#\u0023[error]`. */
export function breakCommands(text: string, write = escapeUnit): string {
  return /##|::/.test(text) ? text.replaceAll(COMMANDS, (char) => write(char)) : text;
}

/** Returns text for stdout and stderr: controls are shown, commands of CI runners are broken. JSON stays the JSON that it is. */
export function toHarmless(text: string): string {
  return breakCommands(showControls(text));
}

/** Writes controls as `\u202e`, above U+FFFF as two of these, but for line feeds; JSON stays the JSON that it is. */
export function showControls(text: string): string {
  // Most texts are plain ASCII, which is seen sooner.
  if (!/[^ -~]/.test(text)) return text;
  return text.replaceAll(CONTROLS, (char) => (char === '\n' ? char : escapeChar(char)));
}

/** Makes every text in plain data harmless; the names of its fields stay. */
export function toHarmlessTexts<T extends object>(data: T): T {
  const clean = (_: string, value: unknown) => (typeof value === 'string' ? toHarmless(value) : value);
  return JSON.parse(JSON.stringify(data), clean) as T;
}

/** Makes a text one line of a terminal or a log: line breaks and tabs are blanks, other controls `\u202e`. */
export function toOneLine(text: string): string {
  return escapeControls(text.replaceAll(/[\t-\r\x85\u2028\u2029]+/g, ' '));
}

function escapeChar(char: string): string {
  return shortEscapes[char] ?? char.replaceAll(/./gs, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
