/**
 * The clock and the timers of the process, as they are when this module is loaded. Fake timers of a test replace the global
 * ones, and must not stop a server that runs in the process of the test.
 */
export const { clearInterval, clearTimeout, performance, setImmediate, setInterval, setTimeout } = globalThis;

const RealDate = Date;

/** The real time, in milliseconds since 1970. */
export const readTime = (): number => RealDate.now();
