import { existsSync } from 'node:fs';

// Plain JavaScript, which a thread can be started from in a checkout and in the published package alike.
const source = new URL('worker.ts', import.meta.url);
await import(existsSync(source) ? source : new URL('dist/contract-tests/worker.js', import.meta.url));
