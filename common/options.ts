import { UsageError } from './usage-error.ts';
import type { ValueKind } from './value-kinds.ts';

/** What is known of an option, wherever its value comes from. */
export interface OptionSpec<T = unknown> extends ValueKind<T> {
  /** As on the command line, such as `-p, --port <number>`; `<url>` and `[url]` stand for an argument of their own. */
  readonly flags: string;
  readonly description: string;
  readonly default: unknown;
  /** Environment variables that stand in for it, beside that of the command's prefix; the first that is set counts. */
  readonly variables: readonly string[];
}

/** The options of a command, by their names in the program. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** A command and its options. */
export interface CommandSpec<Table extends OptionTable = OptionTable> {
  readonly name: string;
  readonly description: string;
  /** How its options are given through npm. */
  readonly example: string;
  /** The ways to call it, each with what it then does, where there is more than one. */
  readonly calls?: readonly (readonly [line: string, what: string])[];
  /** Lines to copy, for its help. */
  readonly examples: readonly string[];
  /** Each option has a variable: this and its flag, as in `ANIMAL_STORE_API_KEY`. @default variables are as listed */
  readonly prefix?: string;
  readonly options: Table;
  /** The defaults that are not one value, in words. */
  readonly defaultTexts?: Readonly<Record<string, string>>;
  /** The first goes with none of the others; one of them on the command line puts the variables of all aside. */
  readonly rivals?: { readonly names: readonly [string, ...string[]]; readonly reason: string };
  /** What is wrong with values that are valid one by one; `nameOf` names an option as the user gave it. */
  readonly check?: (values: OptionValues<Table>, nameOf: (name: string) => string) => string | undefined;
}

type ValueOf<Kind> =
  Kind extends ValueKind<infer T> ? (Kind extends { readonly repeatable: true } ? readonly T[] : T) : never;

/** The options that were given. */
export type OptionValues<Table> = { readonly [Name in keyof Table]?: ValueOf<Table[Name]> };

type MayBeMissing<Spec> = Spec extends { readonly default: object | string | number | boolean }
  ? never
  : Spec extends { readonly flags: `<${string}>` }
    ? never
    : undefined;

/** All options; one that was not given and has no default is undefined. */
export type FilledOptions<Table> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]> | MayBeMissing<Table[Name]>;
};

/** A row of a table of options: `option(flags, kind, default, ...variables)(description)`. */
export function option<
  Kind extends ValueKind<unknown>,
  const Flags extends string,
  const Default extends ValueOf<Kind> | undefined = undefined,
>(flags: Flags, kind: Kind, usual?: Default, ...variables: string[]) {
  return (description: string) => ({ ...kind, flags, description, default: usual as Default, variables });
}

/** Returns the command as it is, with the types of its options. */
export function defineCommand<Table extends OptionTable>(command: CommandSpec<Table>): CommandSpec<Table> {
  return command;
}

/** Fills in the defaults. */
export function fillDefaults<Table extends OptionTable>(
  { options }: CommandSpec<Table>,
  values: OptionValues<Table>,
): FilledOptions<Table> {
  const filled = Object.entries(options).map(([name, spec]) => [name, values[name] ?? spec.default]);
  return Object.fromEntries(filled);
}

/**
 * Checks the options that were given; those that are undefined were not.
 * @param nameOf names an option as the user gave it.
 * @throws UsageError naming the option and what was expected of it.
 */
export function expectOptions<Table extends OptionTable>(
  { options, rivals, check }: CommandSpec<Table>,
  values: OptionValues<Table>,
  nameOf = (name: string) => name,
): void {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const spec = Object.hasOwn(options, name) ? options[name] : undefined;
    if (spec === undefined) throw new UsageError(`there is no option ${name}`);
    expectValid(spec, nameOf(name), value);
  }
  const [first, ...others] = rivals?.names.filter((name) => values[name] !== undefined) ?? [];
  if (first !== undefined && first === rivals?.names[0] && others[0] !== undefined) {
    throw new UsageError(`${nameOf(first)} and ${nameOf(others[0])} cannot be combined${rivals.reason}`);
  }
  const problem = check?.(values, nameOf);
  if (problem !== undefined) throw new UsageError(problem);
}

function expectValid(spec: OptionSpec, name: string, value: unknown) {
  const { expected, isValid, findForbidden, repeatable, secret } = spec;
  const values = repeatable ? value : [value];
  if (!Array.isArray(values) || values.length === 0) {
    throw new UsageError(`${name} must be an array with at least one value, each ${expected}`);
  }
  const wrong = values.findIndex((one) => !isValid(one));
  const forbidden = values.map((one) => findForbidden?.(one)).find((part) => part !== undefined);
  if (forbidden !== undefined) throw new UsageError(`${name} must not contain ${forbidden}`);
  const given = secret ? '' : `, not ${JSON.stringify(values[wrong], showBigint)}`;
  if (wrong >= 0) throw new UsageError(`${name} must be ${expected}${given}`);
}

function showBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(`${value}`) : value;
}

/** The long flag of an option, or the name of an argument. */
export function longFlag({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? `the ${flags.slice(1, -1)}`;
}

/** The environment variables of an option, the first that is set counts. */
export function variablesOf({ prefix }: Pick<CommandSpec, 'prefix'>, spec: OptionSpec): string[] {
  const name = longFlag(spec).slice(2).replaceAll('-', '_').toUpperCase();
  return [...(prefix === undefined ? [] : [`${prefix}${name}`]), ...spec.variables];
}

/** The default of an option in words; empty when it has none. */
export function describeDefault({ options, defaultTexts = {} }: Omit<CommandSpec, 'check'>, name: string) {
  const usual = defaultTexts[name] ?? options[name]?.default ?? '';
  return typeof usual === 'boolean' ? '' : String(usual);
}
