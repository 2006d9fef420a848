/** Returns the parameters in a path that fits a template, by their names, as they were sent. */
export function readPathParameters(template: string, path: string): Readonly<Record<string, string>> {
  const fixed = template.split(/\{[^{}]*\}/).map((text) => text.replaceAll(/[^\w/]/g, '\\$&'));
  const [, ...texts] = new RegExp(`^${fixed.join('([^/]*)')}$`).exec(path) ?? [];
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}
