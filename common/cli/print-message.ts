import { toOneLine } from '../text/harmless-text.ts';
import { type Keys, redact } from '../text/redact.ts';

/** A line of a program. One that is false, empty or undefined is left out. */
export type Line = string | false | undefined;

/** Prints lines of a program, each of which stays a line: a name in it may have a line break and a command of a CI runner. */
export function printLines(lines: readonly Line[]): string {
  return lines.map((line) => (line ? `${toOneLine(line)}\n` : '')).join('');
}

/** Writes a message of a program to stderr, in one line without keys. */
export function writeMessage(name: string, message: string, keys: Keys): void {
  process.stderr.write(printLines([redact(`${name}: ${message}`, keys)]));
}
