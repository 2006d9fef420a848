import { readFileSync } from 'node:fs';
import { createReply, type Reply } from '../../common/reply.ts';

/** How a document of OpenAPI is written. */
export const documentFormats = ['yaml', 'json'] as const;

/** One of them. */
export type DocumentFormat = (typeof documentFormats)[number];

/**
 * Makes a reply of an OpenAPI document that is a file of YAML; its server is the address that the client asked. Source:
 * RFC 9512
 * @param host the header of the request. @param path where the document's own paths begin.
 */
export async function createDocumentReply(
  file: string,
  format: DocumentFormat,
  host: string | undefined,
  path: string,
): Promise<Reply> {
  const text = readFileSync(file, 'utf8');
  const { origin } = URL.parse(`http://${host}`) ?? {};
  const servers = `servers:\n  - url: ${JSON.stringify(origin + path)}\n    description: This mock.\n`;
  // The numbers of the lines after it are those of the file.
  const replaceServers = (before: string) =>
    servers + '\n'.repeat(Math.max(0, countLines(before) - countLines(servers)));
  // Without a Host the server stays as it is written, relative to this very document.
  const yaml = host && origin ? text.replace(/^servers:\n(?: .*\n)+/m, replaceServers) : text;
  if (format === 'yaml') return createReply(200, yaml, { 'Content-Type': 'application/yaml' });
  // Only who asks for it waits until it is loaded.
  const { parse } = await import('yaml');
  return createReply(200, JSON.stringify(parse(yaml)));
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
