import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contractFile } from '../../common/contract-file.ts';
import { methodNotAllowed } from '../../common/http/api-error.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import type { Step } from '../pipeline/context.ts';

/** Path of the OpenAPI document of the control API, in a checkout and in the package. */
export const controlApiFile: string = fileURLToPath(new URL('../control-api.yaml', import.meta.url));

/** Serves openapi.yaml at `/openapi.yaml` and `/openapi.json`. */
export const serveContract: Step = ({ method, path, headers: { host }, session }) => {
  const format = (['yaml', 'json'] as const).find((format) => path === `/openapi.${format}`);
  if (format === undefined) return undefined;
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, 'GET, HEAD');
  return createDocumentReply(contractFile, format, host, session.basePath);
};

/**
 * Creates the reply for an OpenAPI document. Its server is the address of the request. Source: RFC 9512
 * @param file Path of the document as YAML.
 * @param path Base path of the server.
 */
export async function createDocumentReply(
  file: string,
  format: 'yaml' | 'json',
  host: string | undefined,
  path: string,
): Promise<Reply> {
  const text = readFileSync(file, 'utf8');
  const { origin } = URL.parse(`http://${host}`) ?? {};
  const servers = `servers:\n  - url: ${JSON.stringify(origin + path)}\n    description: This mock.\n`;
  // Without a Host the server of the file stays, which is relative to the document.
  const yaml = host && origin ? text.replace(/^servers:\n(?: .*\n)+/m, () => servers) : text;
  if (format === 'yaml') return createReply(200, yaml, { 'Content-Type': 'application/yaml' });
  // Loading the parser would delay the start.
  const { parse } = await import('yaml');
  return createReply(200, JSON.stringify(parse(yaml)));
}
