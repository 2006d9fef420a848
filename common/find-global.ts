/** Returns a global of Node or of a page, also where Jest with jsdom hides it from the tests. @throws Error if there is none */
export function findGlobal<Name extends 'fetch' | 'TextEncoder'>(name: Name): (typeof globalThis)[Name] {
  // A script in Node's main context sees the globals that the context of jsdom lacks.
  const found = globalThis[name] ?? globalThis.process?.getBuiltinModule?.('node:vm').runInThisContext(name);
  if (found !== undefined) return found;
  throw new Error(`There is no ${name} here. In Jest, set testEnvironment to node, or to jest-fixed-jsdom.`);
}
