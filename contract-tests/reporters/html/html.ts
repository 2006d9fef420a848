import { escapeXml } from '../../../common/print-junit.ts';

/** Text that is markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in markup: all but markup is escaped, and undefined is nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

/** Makes markup of a template, in which attributes stand in double quotes. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.map((text, index) => text + printContent(contents[index])).join(''));
}

function printContent(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(printContent).join('') : escapeXml(String(content));
}
