import { existsSync } from 'node:fs';

// JavaScript, because a thread starts from it in a checkout and in the published package.
const source = new URL('worker.ts', import.meta.url);
await import(existsSync(source) ? source : new URL('dist/proxy/worker.js', import.meta.url));
