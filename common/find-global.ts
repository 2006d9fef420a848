/** Returns a global of Node or of a page, also where Jest with jsdom hides it from the tests. */
export function findGlobal<Name extends 'fetch' | 'TextEncoder'>(name: Name): (typeof globalThis)[Name] {
  // A script in Node's main context sees the globals that the context of jsdom lacks.
  return globalThis[name] ?? globalThis.process?.getBuiltinModule?.('node:vm').runInThisContext(name);
}
