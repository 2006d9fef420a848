/** The part of Dredd that is used; it has no types of its own. */
declare module 'dredd' {
  import type { EventEmitter } from 'node:events';

  interface DreddOptions {
    readonly endpoint: string;
    readonly path: readonly string[];
    readonly apiDescriptions: readonly { readonly location: string; readonly content: string }[];
    readonly hookfiles: readonly string[];
    readonly emitter: EventEmitter;
    readonly reporter: readonly string[];
    readonly loglevel: 'silent';
    /** For the library that makes its requests. */
    readonly http: { readonly gzip: boolean; readonly timeout: number };
  }

  // biome-ignore lint/style/noDefaultExport: It is how Dredd exports it.
  export default class Dredd {
    constructor(options: DreddOptions);
    run(done: (error: Error | null | undefined) => void): void;
  }
}
