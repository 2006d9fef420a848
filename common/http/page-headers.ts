import { extname } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

/**
 * Returns the headers of a file of a page. The page loads scripts and styles from its own origin only, and sends requests only
 * there. @param policy Further directives for Content-Security-Policy.
 */
export function pageHeaders(file: string, policy = ''): Readonly<Record<string, string>> {
  return {
    'Content-Type': `${types[extname(file)]}; charset=utf-8`,
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
      `frame-ancestors 'none'; form-action 'none'${policy}`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}
