import type { SuiteRequest } from './exchange.ts';
import { hideKeys, type Secrets } from './hide-keys.ts';

/** Prints a request as a command for bash or zsh; the key is `$ANIMAL_STORE_API_KEY`, and a wrong key says what it is. */
export function printCurl({ method, base, path, headers, body }: SuiteRequest, secrets: Secrets): string {
  const print = (text: string) => quote(hideKeys(text, secrets));
  const implied = body === undefined ? 'GET' : 'POST';
  return [
    'curl -i --globoff --path-as-is',
    ...(method === implied ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${printHeader(`${name}: ${value}`, secrets)}`),
    ...(body === undefined ? [] : [`--data-raw ${print(body)}`]),
    print(`${base}${path}`),
  ].join(' ');
}

/** A header with the key in it is in double quotes, within which the shell puts the value of a variable. */
function printHeader(header: string, secrets: Secrets): string {
  const { apiKey } = secrets;
  if (apiKey === '' || !header.includes(apiKey)) return quote(hideKeys(header, secrets));
  const parts = header.split(apiKey).map((part) => hideKeys(part, secrets).replaceAll(/["\\$`!]/g, '\\$&'));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is for the shell.
  return `"${parts.join('${ANIMAL_STORE_API_KEY}')}"`;
}

function quote(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text
    .replaceAll(/['\\]/g, '\\$&')
    .replaceAll(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
