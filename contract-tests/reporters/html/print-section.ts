import { html, type Markup } from './html.ts';

/**
 * Prints a section of the page under its heading; nothing where it would be empty.
 *
 * @param kind what the filter of the page knows it by.
 */
export function printSection(
  kind: string,
  title: string,
  contents: readonly Markup[] = [],
): Markup | undefined {
  if (contents.length === 0) return undefined;
  return html`<section data-kind="${kind}"><h2>${title}</h2>
${contents}</section>
`;
}
