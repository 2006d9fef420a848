import type { SuiteRequest } from './exchange.ts';
import { basicCredentials, createWrongKeys } from './wrong-keys.ts';

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

/**
 * A header with the key in it, or with what a check has made of it, is in double quotes, within which the shell puts the
 * variable's value or makes the same of it.
 */
function quoteHeader(header: string, apiKey: string): string {
  const variable = 'ANIMAL_STORE_API_KEY';
  const spellings: readonly (readonly [string, string])[] = [
    [apiKey, `\${${variable}}`],
    ...basicCredentials.map(
      (user) =>
        [
          Buffer.from(user(apiKey)).toString('base64'),
          `$(printf %s "${user(`\${${variable}}`)}" | base64 -w 0)`,
        ] as const,
    ),
    ...createWrongKeys(apiKey, variable)
      .toSorted((one, other) => other.key.length - one.key.length)
      .map(({ key, expression }) => [key, expression] as const),
  ];
  const [spelling, expression] = spellings.find(([text]) => text !== '' && header.includes(text)) ?? [];
  if (spelling === undefined || expression === undefined) return quote(header);
  const parts = header.split(spelling).map((part) => part.replaceAll(/["\\$`!]/g, '\\$&'));
  return `"${parts.join(expression)}"`;
}

function quote(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text
    .replaceAll(/['\\]/g, '\\$&')
    .replaceAll(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
