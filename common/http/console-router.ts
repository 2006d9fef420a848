import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IRouter, Response } from 'express';
import { createRouter } from './create-router.ts';
import { pageHeaders } from './page-headers.ts';

const files = ['index.html', 'page.css', 'page.js'] as const;
type FileName = (typeof files)[number];

/** The page never turns text into markup. */
const policy = "; require-trusted-types-for 'script'; trusted-types 'none'";

interface ConsoleOptions {
  /** True if programs, which do not accept `text/html`, get something else at `/`. */
  readonly isShared: boolean;
}

/**
 * Creates the routes of the console's page: at `/`, with its files under `/__console/`. The page holds no secret: it asks
 * the user for the token.
 */
export function createConsoleRouter({ isShared }: ConsoleOptions): IRouter {
  const router = createRouter();
  // Express would answer OPTIONS for a path that has GET only.
  router.use(({ method }, _response, next) =>
    next(method === 'GET' || method === 'HEAD' ? undefined : 'router'),
  );
  router.get('/', (request, response, next) => {
    // Browsers name this type. To `request.accepts` a program that accepts anything is a browser.
    if (isShared && !/\btext\/html\b/.test(request.headers.accept ?? '')) return next();
    response.locals.isUnlogged = true;
    // The page's links are relative to the slash, which Express adds to the path that a router is mounted at.
    const { originalUrl, baseUrl } = request;
    if (originalUrl.split('?', 1)[0] === baseUrl) return response.redirect(`${baseUrl}/`);
    return sendFile(response, 'index.html');
  });
  for (const name of files)
    router.get(`/__console/${name}`, (_request, response) => sendFile(response, name));
  return router;
}

/** Without response.sendFile, which answers conditional requests with errors of its own: nobody keeps these files. */
async function sendFile(response: Response, name: FileName): Promise<void> {
  response.locals.isUnlogged = true;
  response.set({ ...pageHeaders(name, policy), Vary: 'Accept' }).send(await readFile(name));
}

/** Reads a file of the console: from the package, or bundled from the sources of a checkout. */
async function readFile(name: FileName): Promise<string> {
  if (!import.meta.filename.endsWith('.ts'))
    return readFileSync(join(import.meta.dirname, '../console', name), 'utf8');
  // A URL, so that the bundler of the package does not follow it.
  const { bundleConsole } = await import(new URL('../../console/build.js', import.meta.url).href);
  return bundleConsole(name);
}
