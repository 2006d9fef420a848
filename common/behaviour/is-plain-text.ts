/** Returns whether a name has only the characters that services with the value `plain` of nameCharacters accept. */
export function isPlainText(name: string): boolean {
  return /^[\p{L}\p{N} .'-]*$/u.test(name);
}
