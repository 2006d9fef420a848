import { styleText } from 'node:util';

/** Colours a text, or leaves it as it is. */
export type Paint = (colour: 'green' | 'yellow' | 'red', text: string) => string;

/** Whether a stream shows colours: a terminal, unless NO_COLOR is set. Source: util.styleText, which FORCE_COLOR tells too */
export function hasColours(stream: NodeJS.WritableStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

/** Creates what colours texts; it is asked once whether to, since to find out takes longer than the rest of a line. */
export function createPaint(isColoured: boolean): Paint {
  return (colour, text) => (isColoured ? styleText(colour, text, { validateStream: false }) : text);
}
