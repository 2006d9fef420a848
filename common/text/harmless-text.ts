/**
 * Characters that can change a terminal or mislead the eye: controls, line breaks, bidi marks, characters without width, and spaces
 * that look like the usual one.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character of each CI command: `##[name]` and `##vso[name]` anywhere, `::name::` at the start of a line. */
const COMMANDS = /(?<=#)#(?=\w*\[)|(?<=^\s*):(?=:)/gm;

/** Writes controls as `\n`, `\u202e` or `\U000e0041`, as bash and zsh do, and breaks commands of CI runners. */
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

/** Returns text for stdout and stderr: controls are escaped and CI commands are broken. JSON keeps its values. */
export function toHarmless(text: string): string {
  return breakCommands(showControls(text));
}

/** Escapes controls, except line feeds, as `\u202e`. JSON keeps its values. */
export function showControls(text: string): string {
  if (!/[^ -~]/.test(text)) return text;
  return text.replaceAll(CONTROLS, (char) => (char === '\n' ? char : escapeChar(char)));
}

/** Returns a string as one line: line breaks and tabs become spaces, other controls are escaped. */
export function toOneLine(text: string): string {
  return escapeControls(text.replaceAll(/[\t-\r\x85\u2028\u2029]+/g, ' '));
}

function escapeChar(char: string): string {
  return shortEscapes[char] ?? char.replaceAll(/./gs, escapeUnit);
}

/** Escapes a UTF-16 code unit as JSON does: `\u00e9`. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
