/** Turns line breaks and other control characters into spaces, so that a text is one line of a terminal or a log. */
export function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
