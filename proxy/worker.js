import { existsSync } from 'node:fs';
import module from 'node:module';

// JavaScript, because a thread starts from it in a checkout and in the published package.
const source = new URL('run-in-thread.ts', import.meta.url);
// Node keeps the compiled code for the next start, if each thread asks for it.
module.enableCompileCache();
await import(existsSync(source) ? source : new URL('dist/proxy/run-in-thread.js', import.meta.url));
