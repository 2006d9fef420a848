// ECMAScript's "JSON.parse source text access", which Node 24 has and TypeScript's library does not declare yet.
interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    // biome-ignore lint/suspicious/noExplicitAny: as without a reviver; generated clients rely on it.
  ): any;
  rawJSON(text: string): unknown;
}
