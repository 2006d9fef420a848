/** The patterns of templates that were read; the few of each contract. */
const patterns = new Map<string, RegExp>();

/** Returns the parameters in a path that fits a template, by their names, as they were sent. */
export function readPathParameters(template: string, path: string): Readonly<Record<string, string>> {
  const pattern = patterns.get(template) ?? createPattern(template);
  patterns.set(template, pattern);
  const [, ...texts] = pattern.exec(path) ?? [];
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

function createPattern(template: string): RegExp {
  const fixed = template.split(/\{[^{}]*\}/).map((text) => text.replaceAll(/[^\w/]/g, '\\$&'));
  return new RegExp(`^${fixed.join('([^/]*)')}$`);
}
