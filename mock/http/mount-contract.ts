import type { Express } from 'express';
import { contractFile } from '../../common/contract-file.ts';
import { createDocumentReply, documentFormats } from './create-document-reply.ts';
import type { WriteReply } from './create-writers.ts';
import { methodNotAllowed } from './mount-routes.ts';

/** Mounts openapi.yaml, as YAML at `/openapi.yaml` and as JSON at `/openapi.json`; its server is the service that was asked. */
export function mountContract(app: Express, writeReply: WriteReply): void {
  for (const format of documentFormats) {
    app
      .route(`/openapi.${format}`)
      .get(async ({ headers: { host } }, response) => {
        const { basePath } = response.locals.service.operations;
        writeReply(response, await createDocumentReply(contractFile, format, host, basePath));
      })
      .all(methodNotAllowed('GET', 'HEAD'));
  }
}
