import htm from 'htm';
import { type ComponentChildren, h } from 'preact';

/** What is shown: an element, several, a text, or nothing. */
export type View = ComponentChildren;

/** Makes elements of a template. What stands in it is text or a property, and never read as markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => View = htm.bind(h);
