import { existsSync } from 'node:fs';

// JavaScript, because a thread starts from it in a checkout and in the published package.
const source = new URL('run-in-thread.ts', import.meta.url);
await import(existsSync(source) ? source : new URL('dist/proxy/run-in-thread.js', import.meta.url));
