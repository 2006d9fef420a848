/**
 * A schema of valibot, for interfaces that users import. They do not install valibot, so no type of it may be in what they import.
 */
export interface Schema<Value = unknown> {
  readonly kind: 'schema';
  readonly '~types'?: { readonly output: Value } | undefined;
}

export type Members<Interface> = { readonly [Name in keyof Interface]-?: Schema<Interface[Name]> };
