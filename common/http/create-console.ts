import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pageHeaders } from './page-headers.ts';

/** Sends a file of the console. @param path URL after the root of the console. @returns whether it names a file. */
export type SendConsole = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
const files = ['index.html', 'page.css', 'page.js'];

/** The page never turns text into markup. */
const policy = "; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * Creates the handler of the console's page: at `/`, with its files under `/__console/`. The page holds no secret: it asks
 * the user for the token.
 * @param isShared Whether programs, which do not accept `text/html`, get something else at `/`.
 */
export function createConsole(isShared: boolean): SendConsole {
  return ({ method, url = '', headers: { accept = '' } }, response, path) => {
    if (method !== 'GET' && method !== 'HEAD') return false;
    const [target, slash, file] = /^(\/(?:__console\/([\w.]+))?)?(?:\?.*)?$/.exec(path) ?? [];
    if (target === undefined || !files.includes(file ?? 'index.html')) return false;
    if (isShared && file === undefined && !/\btext\/html\b/.test(accept)) return false;
    const headers = { ...pageHeaders(file ?? 'index.html', policy), Vary: 'Accept' };
    if (slash === undefined) {
      response.writeHead(308, { ...headers, Location: url.replace(/(?=\?|$)/, '/') }).end();
      return true;
    }
    readConsoleFile(file ?? 'index.html').then(
      (text) => response.writeHead(200, headers).end(text, 'utf8'),
      (error) => response.destroy(error),
    );
    return true;
  };
}

/** Reads a file of the console: from the package, or bundled from the sources of a checkout. */
async function readConsoleFile(name: string): Promise<string> {
  if (!import.meta.filename.endsWith('.ts')) {
    return readFileSync(join(import.meta.dirname, '../console', name), 'utf8');
  }
  // A URL, so that the bundler of the package does not follow it.
  const { bundleConsole } = await import(new URL('../../console/build.js', import.meta.url).href);
  return bundleConsole(name);
}
