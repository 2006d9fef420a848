/**
 * Creates what stands for an object that may be another one at each use; its methods may be taken off it.
 * @param find the object that it is now.
 */
export function follow<T extends object>(find: () => T): T {
  return new Proxy(find(), {
    get(_, key) {
      const value: unknown = Reflect.get(find(), key);
      if (typeof value === 'function') {
        return (...args: unknown[]) => (Reflect.get(find(), key) as typeof value)(...args);
      }
      if (typeof value !== 'object' || value === null) return value;
      return follow(() => Reflect.get(find(), key) as object);
    },
  });
}
