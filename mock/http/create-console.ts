import { readFileSync } from 'node:fs';
import module from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Request, Response } from 'express';
import type { AdminDependencies } from './create-admin.ts';

/** Answers a request for the console. @returns whether it was one. */
export type AnswerConsole = (request: Request, response: Response) => boolean;

/** In a checkout the browser gets the modules as they are, from the package one script and one style. */
const isCheckout = import.meta.filename.endsWith('.ts');
const folder = join(import.meta.dirname, isCheckout ? '../..' : '..');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ts': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** The page runs its own files, asks its own origin, and makes no markup of texts. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
    "frame-ancestors 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept',
};

/**
 * Creates what serves the console: to a browser at `/` and at `/sessions/{name}/`, its files beneath `__console/` there. It
 * is there where the control API is; what is said by a token is said by the page, which holds no secret.
 */
export function createConsole({
  admin,
  adminToken,
  isLoopback,
  isHostAllowed,
}: AdminDependencies): AnswerConsole {
  const isServed = admin && (isLoopback || adminToken !== undefined);
  return (request, response) => {
    const { method, url } = request;
    // Most requests are seen sooner.
    if (!isServed || url.startsWith('/v1/') || (method !== 'GET' && method !== 'HEAD')) return false;
    const target = /^(?=\/)(?:\/sessions\/[\w.-]{1,64})?(\/(?:__console\/([\w./-]+))?)?(?:\?.*)?$/.exec(url);
    if (target === null || !isHostAllowed(request.headers.host)) return false;
    const [, slash, file, path = file ?? 'console/index.html'] = target;
    if (file === undefined && !/\btext\/html\b/.test(request.headers.accept ?? '')) return false;
    if (slash === undefined) {
      response.writeHead(308, { ...headers, Location: url.replace(/(?=\?|$)/, '/') }).end();
      return true;
    }
    const text = readPart(path);
    if (text === undefined) return false;
    response
      .writeHead(200, { ...headers, 'Content-Type': `${types[extname(path)]}; charset=utf-8` })
      .end(text);
    return true;
  };
}

/** @param path from the root of a checkout on. @returns undefined when the console has no such file. */
function readPart(path: string): string | undefined {
  const [, library] = /^(preact|htm)\.mjs$/.exec(path) ?? [];
  if (isCheckout && library !== undefined) return read(fileURLToPath(import.meta.resolve(library)));
  const isPart = isCheckout ? /^(?:console|common)\/(?:look\/)?[\w-]+\.\w+$/ : /^console\/[\w-]+\.\w+$/;
  if (!isPart.test(path) || types[extname(path)] === undefined) return undefined;
  if (!isCheckout || !/\.[jt]s$/.test(path)) return read(join(folder, path));
  const source = read(join(folder, path.replace(/\.js$/, '.ts')));
  return source && withLibraries(stripTypes(source));
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Strips without the warning that Node still has for it. */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // A Node that is too old has it not, and is to say that it is too old.
    return module.stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** A browser finds no package by its name. */
function withLibraries(source: string): string {
  return source.replace(/ from '(preact|htm)';/g, " from '../$1.mjs';");
}
