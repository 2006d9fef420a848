import { mkdirSync, writeFileSync } from 'node:fs';
import { controlRoutes } from './server/admin/control-routes.ts';
import { createControlDocument, printYaml } from './server/admin/create-document.ts';

// The document in the published package, which the linter reads too.
const folder = new URL('dist/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('control-api.yaml', folder), printYaml(createControlDocument(controlRoutes)));
