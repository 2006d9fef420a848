// Saved when this module loads: fake timers of a test must not stop a server in the same process.
export const { clearInterval, clearTimeout, performance, setInterval, setTimeout } = globalThis;

const RealDate = Date;
export const readTime = (): number => RealDate.now();
