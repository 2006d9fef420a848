/** The part of Dredd's library that the suite uses. */
declare module 'dredd' {
  class Dredd {
    constructor(configuration: object);
    run(callback: (error: Error | null) => void): void;
  }
  export = Dredd;
}
