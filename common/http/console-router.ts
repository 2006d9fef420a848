import { join } from 'node:path';
import type { IRouter, Request, Response } from 'express';
import { createRouter } from './create-router.ts';
import { pageHeaders } from './page-headers.ts';

type FileName = 'index.html' | 'page.css' | 'page.js';

/** No browser keeps the files, since another version may have the same address. */
const fileOptions = { etag: false, lastModified: false, cacheControl: false, acceptRanges: false };

/** The page never turns text into markup. */
const policy = "; require-trusted-types-for 'script'; trusted-types 'none'";

const isCheckout = import.meta.filename.endsWith('.ts');

/**
 * Creates the routes of the console's page: at `/`, with its files under `/__console/`. The page holds no secret: it asks
 * the user for the token.
 * @param isShared Whether programs, which do not accept `text/html`, get something else at `/`.
 */
export function createConsoleRouter(isShared: boolean): IRouter {
  const router = createRouter();
  // Express would answer OPTIONS for a path that has GET only.
  router.use(({ method }, _response, next) =>
    next(method === 'GET' || method === 'HEAD' ? undefined : 'router'),
  );
  router.get('/', (request, response, next) => {
    // Browsers name this type. To `request.accepts` a program that accepts anything is a browser.
    if (isShared && !/\btext\/html\b/.test(request.headers.accept ?? '')) return next();
    return isWithoutSlash(request)
      ? redirectToSlash(request, response)
      : sendPageFile(response, 'index.html');
  });
  router.get('/__console/index.html', (_request, response) => sendPageFile(response, 'index.html'));
  router.get('/__console/page.css', (_request, response) => sendPageFile(response, 'page.css'));
  router.get('/__console/page.js', (_request, response) => sendPageFile(response, 'page.js'));
  return router;
}

/** Express adds the slash at the end of a path that a router is mounted at. */
function isWithoutSlash({ originalUrl, baseUrl }: Request): boolean {
  return baseUrl !== '' && originalUrl.replace(/\?.*$/s, '') === baseUrl;
}

/** The page's links are relative to the slash. */
function redirectToSlash({ originalUrl }: Request, response: Response): void {
  response.set(headersOf('index.html'));
  response.set('Location', originalUrl.replace(/(?=\?|$)/, '/'));
  response.status(308).end();
}

async function sendPageFile(response: Response, name: FileName): Promise<void> {
  response.locals.isUnlogged = true;
  response.set(headersOf(name));
  if (isCheckout) response.send(await bundleFile(name));
  else response.sendFile(name, { ...fileOptions, root: join(import.meta.dirname, '../console') });
}

/** Bundles a file of the console from the sources of a checkout. */
async function bundleFile(name: FileName): Promise<string> {
  // A URL, so that the bundler of the package does not follow it.
  const { bundleConsole } = await import(new URL('../../console/build.js', import.meta.url).href);
  return bundleConsole(name);
}

function headersOf(name: FileName) {
  return { ...pageHeaders(name, policy), Vary: 'Accept' };
}
