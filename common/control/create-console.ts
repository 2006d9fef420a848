import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import module from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostCheck } from '../host-check.ts';

/** Answers a request for the console. @returns whether it was one. */
export type AnswerConsole = (request: IncomingMessage, response: ServerResponse) => boolean;

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
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept',
};

/** Where a console is, and for whom. */
export interface ConsolePlace {
  /**
   * The URL of the page. Its groups are the slash at the end of the path with what follows it, and the path of a part of the page,
   * beneath `__console/`; without a slash it leads to where there is one.
   */
  readonly pattern: RegExp;
  /** Whether programs, which do not ask for `text/html`, get something else there. */
  readonly isShared: boolean;
  readonly isHostAllowed: HostCheck;
}

/** Creates what serves the console. It holds no secret: what is said by a token is said by the page. */
export function createConsole({ pattern, isShared, isHostAllowed }: ConsolePlace): AnswerConsole {
  return ({ method, url = '', headers: { host, accept = '' } }, response) => {
    if (method !== 'GET' && method !== 'HEAD') return false;
    const target = pattern.exec(url);
    if (target === null || !isHostAllowed(host)) return false;
    const [, slash, file, path = file ?? 'console/index.html'] = target;
    if (isShared && file === undefined && !/\btext\/html\b/.test(accept)) return false;
    if (slash === undefined) {
      response.writeHead(308, { ...headers, Location: url.replace(/(?=\?|$)/, '/') }).end();
      return true;
    }
    const text = readPart(path);
    if (text === undefined) return false;
    response
      .writeHead(200, { ...headers, 'Content-Type': `${types[extname(path)]}; charset=utf-8` })
      .end(Buffer.from(text));
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
  return source && withLibraries(withoutComments(stripTypes(source)));
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

/** What is there for who reads the source takes a quarter of it; each line stays at its number. */
function withoutComments(source: string): string {
  return source
    .replaceAll(/^\/\*\*.*?\*\//gms, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/[ \t]+$/gm, '');
}

/** A browser finds no package by its name. */
function withLibraries(source: string): string {
  return source.replace(/ from '(preact|htm)';/g, " from '../$1.mjs';");
}
