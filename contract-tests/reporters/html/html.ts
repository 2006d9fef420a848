import { escapeXml } from '../../../common/text/print-junit.ts';

/** Markup, which is not escaped again. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content of markup: strings and numbers are escaped; false and undefined are nothing. */
export type Content = Markup | string | number | false | undefined | readonly Content[];

/** Creates markup from a template, in which attributes are in double quotes. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.map((text, index) => text + printContent(contents[index])).join(''));
}

function printContent(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(printContent).join('') : escapeXml(String(content));
}

export function printSection(kind: string, title: string, contents: readonly Markup[]): Content {
  if (contents.length === 0) return false;
  return html`<section data-kind="${kind}"><h2>${title}</h2>
${contents}</section>
`;
}
