import type { SuiteRequest } from './exchange.ts';

/** Prints a request as a command for bash or zsh; the key is `$ANIMAL_STORE_API_KEY`, and so is a key made of it. */
export function printCurl({ method, base, path, headers, body }: SuiteRequest, apiKey: string): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `-H ${quoteHeader(`${name}: ${value}`, apiKey)}`,
  );
  const implied = body === undefined ? 'GET' : 'POST';
  const parts = [
    'curl -i --globoff --path-as-is',
    ...(method === implied ? [] : [`-X ${method}`]),
    ...lines,
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    quote(`${base}${path}`),
  ];
  return parts.join(' ');
}

/** A header with the key in it is in double quotes, within which the shell puts the variable's value. */
function quoteHeader(header: string, apiKey: string): string {
  if (!header.includes(apiKey)) return quote(header);
  const parts = header.split(apiKey).map((part) => part.replaceAll(/["\\$`!]/g, '\\$&'));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is the shell's template.
  return `"${parts.join('${ANIMAL_STORE_API_KEY}')}"`;
}

function quote(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text
    .replaceAll(/['\\]/g, '\\$&')
    .replaceAll(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
