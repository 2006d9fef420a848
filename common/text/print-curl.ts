import type { Trust } from '../tls/trust.ts';
import { breakCommands, escapeControls } from './harmless-text.ts';

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** Parts of the URL that are shell expressions, such as an id from an earlier response. */
  readonly expressions?: readonly ShellExpression[];
  readonly headers: readonly string[];
  readonly body?: string | { readonly file: string } | undefined;
  readonly options?: readonly string[];
}

/** Prints a request as a one-line command for bash or zsh. */
export function printCurl({ method, url, expressions, headers, body, options = [] }: CurlRequest): string {
  const parts = [
    'curl',
    ...options,
    ...printMethod(method, body !== undefined),
    ...headers.map((line) => `-H ${line}`),
    ...printBody(body),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    quoteForShell(url, expressions),
  ];
  return parts.join(' ');
}

/** Returns curl options for the certificates of a run, whose members are the paths of files. */
export function printTrust({ ca, insecure, clientCert, clientKey }: Trust): string[] {
  const files = { '--cacert': insecure ? undefined : ca, '--cert': clientCert, '--key': clientKey };
  const given = Object.entries(files).flatMap(([name, file]) => (file ? [name, quoteForShell(file)] : []));
  return insecure ? ['-k', ...given] : given;
}

/** Shell expression that replaces a string, such as `$ANIMAL_STORE_API_KEY` for the key. */
export type ShellExpression = readonly [spelling: string, expression: string];

/** Quotes a string for bash and zsh, on one line. The first expression whose spelling it contains replaces that spelling. */
export function quoteForShell(text: string, expressions: readonly ShellExpression[] = []): string {
  const found = expressions.find(([spelling]) => spelling !== '' && text.includes(spelling));
  if (found !== undefined) {
    // In double quotes an interactive shell replaces `!` by its history, even after a backslash.
    const quote = (part: string) => part.replaceAll(/["\\$`]/g, '\\$&').replaceAll('!', `"'!'"`);
    // An empty string between two characters breaks a command of a CI runner.
    const broken = text.split(found[0]).map((part) => breakCommands(quote(part), (char) => `""${char}`));
    return `"${broken.join(found[1])}"`;
  }
  if (escapeControls(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${escapeControls(text.replaceAll(/['\\]/g, '\\$&'))}'`;
}

function printMethod(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD' && !hasBody) return ['--head'];
  return method === (hasBody ? 'POST' : 'GET') ? [] : ['-X', quoteForShell(method)];
}

// An argument of a command cannot contain NUL.
function printBody(body: CurlRequest['body']): string[] {
  if (body === undefined) return [];
  if (typeof body === 'string' && !body.includes('\0')) return [`--data-raw ${quoteForShell(body)}`];
  return [`--data-binary @${typeof body === 'string' ? 'body' : body.file}`];
}
