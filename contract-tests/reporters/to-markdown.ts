/** Maximum number of characters of a text in a report for people who skim it. */
const LONGEST = 200;

/** Escapes what Markdown, HTML and a table would take for their own, but not in a URL, and cuts a long text. */
export function toMarkdown(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const escapeSign = (part: string) => (part.length > 1 ? part : `\\${part}`);
  const escaped = short.replaceAll(/https?:\/\/[\w.:/?=%@~-]+|[\\`*_{}[\]<>|#~!]/g, escapeSign);
  // Several spaces would be shown as one.
  return escaped
    .replaceAll('&', '&amp;')
    .replaceAll(/[^\S ]+/g, ' ')
    .replaceAll(/ (?= )/g, '&nbsp;');
}
