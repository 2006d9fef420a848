/** Turns capitals into small letters, and small letters into capitals. */
export function swapCase(key: string): string {
  return key.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
