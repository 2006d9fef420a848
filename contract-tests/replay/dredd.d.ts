/** The part of Dredd that is used; it has no types of its own. */
declare module 'dredd' {
  // biome-ignore lint/style/noDefaultExport: It is how Dredd exports it.
  export default class Dredd {
    constructor(options: object);
    run(done: (error: Error | null | undefined) => void): void;
  }
}
