import { mkdir, writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

const types = await openapiTypescript(new URL('../../openapi.yaml', import.meta.url), {
  transform: ({ format }) => (format === 'int64' ? bigint : undefined),
});
await mkdir('generated/openapi-fetch', { recursive: true });
await writeFile('generated/openapi-fetch/animal-store.ts', astToString(types));
