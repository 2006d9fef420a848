import { breakCommands, escapeControls } from './harmless-text.ts';

/** A request that curl is to send. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  /** What of the URL is an expression of the shell, such as an id that was answered before. */
  readonly expressions?: readonly ShellExpression[];
  /** Header lines as the shell is to read them, quoted by `quoteForShell`. */
  readonly headers: readonly string[];
  /** A text, one quoted by `quoteForShell`, or the name of a file; undefined for none. */
  readonly body?: string | { readonly quoted: string } | { readonly file: string } | undefined;
  /** What stands before all else, such as `-i`. */
  readonly options?: readonly string[];
}

/** Prints a request as a command for bash or zsh, on one line, that sends it as it is. */
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

/** Prints which certificates a run trusted, as options of curl. @param caFile path of the file of --ca */
export function printTrust({ caFile, insecure }: { caFile?: string | undefined; insecure?: boolean }) {
  if (insecure) return ['-k'];
  return caFile === undefined ? [] : ['--cacert', quoteForShell(caFile)];
}

/** A shell expression that replaces a spelling, such as `$ANIMAL_STORE_API_KEY` for the key. */
export type ShellExpression = readonly [spelling: string, expression: string];

/** Quotes a text for bash and zsh, on one line; the first expression whose spelling is in it takes its place. */
export function quoteForShell(text: string, expressions: readonly ShellExpression[] = []): string {
  const found = expressions.find(([spelling]) => spelling !== '' && text.includes(spelling));
  if (found !== undefined) {
    // In double quotes no backslash keeps an interactive shell from its history, but single quotes do.
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

/** No argument of a command can hold a NUL. */
function printBody(body: CurlRequest['body']): string[] {
  if (body === undefined) return [];
  if (typeof body === 'string' && !body.includes('\0')) return [`--data-raw ${quoteForShell(body)}`];
  if (typeof body === 'object' && 'quoted' in body) return [`--data-raw ${body.quoted}`];
  return [`--data-binary @${typeof body === 'string' ? 'body' : body.file}`];
}
