import { escapeXml } from '../../../common/text/print-junit.ts';

/** Markup, which is not escaped again. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content of markup: strings and numbers are escaped, and undefined is nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

/** Creates markup from a template, in which attributes are in double quotes. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.map((text, index) => text + printContent(contents[index])).join(''));
}

function printContent(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(printContent).join('') : escapeXml(String(content));
}

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
