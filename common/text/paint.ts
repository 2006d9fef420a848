import { styleText } from 'node:util';

export type Paint = (colour: 'green' | 'yellow' | 'red', text: string) => string;

/** Returns true if a stream shows colours. NO_COLOR and FORCE_COLOR override. Source: util.styleText */
export function hasColours(stream: NodeJS.WritableStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}

export function createPaint(isColoured: boolean): Paint {
  return (colour, text) => (isColoured ? styleText(colour, text, { validateStream: false }) : text);
}
