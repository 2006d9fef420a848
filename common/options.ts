import { UsageError } from './usage-error.ts';
import type { ValueKind } from './value-kinds.ts';

/** What most options do without. */
interface OptionDetails {
  readonly default?: unknown;
  /** The default in words, where it is not one value. */
  readonly defaultText?: string;
  /** Environment variables that stand in for it, beside that of the command's prefix; the first that is set counts. */
  readonly variables?: readonly string[];
  /** Whether its value is kept out of messages. */
  readonly secret?: boolean;
  /** Whether it may be given again: its value is an array, and a variable has spaces in between. */
  readonly repeatable?: boolean;
  /** The names of options that it cannot be combined with. */
  readonly conflicts?: readonly string[];
  /** What several options decide together: one of them on the command line puts the variables of all aside. */
  readonly group?: string;
}

/** What is known of an option, wherever its value comes from. */
export interface OptionSpec<T = unknown> extends ValueKind<T>, OptionDetails {
  /** As on the command line, such as `-p, --port <number>`; `<url>` and `[url]` stand for an argument of their own. */
  readonly flags: string;
  readonly description: string;
}

/** The options of a command, by their names in the program. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** A command and its options. */
export interface CommandSpec<Table extends OptionTable = OptionTable> {
  readonly name: string;
  readonly description: string;
  /** How its options are given through npm. */
  readonly example: string;
  /** Each option has a variable: this and its flag, as in `ANIMAL_STORE_API_KEY`. @default variables are as listed */
  readonly prefix?: string;
  readonly options: Table;
  /** What is wrong with values that are valid one by one; `nameOf` names an option as the user gave it. */
  readonly check?: (values: OptionValues<Table>, nameOf: (name: string) => string) => string | undefined;
}

type ValueOf<Spec> =
  Spec extends ValueKind<infer T> ? (Spec extends { readonly repeatable: true } ? readonly T[] : T) : never;

/** The options that were given. */
export type OptionValues<Table> = { readonly [Name in keyof Table]?: ValueOf<Table[Name]> };

type AlwaysThere = { readonly default: unknown } | { readonly flags: `<${string}>` };

/** All options; one that was not given and has no default is undefined. */
export type FilledOptions<Table> = {
  readonly [Name in keyof Table]:
    | ValueOf<Table[Name]>
    | (Table[Name] extends AlwaysThere ? never : undefined);
};

/** Describes an option in one row of a table. */
export function option<T, const Flags extends string, const Details extends OptionDetails = object>(
  flags: Flags,
  kind: ValueKind<T>,
  description: string,
  details?: Details,
): ValueKind<T> & { readonly flags: Flags; readonly description: string } & NoInfer<Details> {
  return { ...kind, flags, description, ...(details as Details) };
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
 *
 * @param nameOf names an option as the user gave it.
 * @throws UsageError naming the option and what was expected of it.
 */
export function expectOptions<Table extends OptionTable>(
  { options, check }: CommandSpec<Table>,
  values: OptionValues<Table>,
  nameOf = (name: string) => name,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const spec = Object.hasOwn(options, name) ? options[name] : undefined;
    if (spec === undefined) throw new UsageError(`there is no option ${name}`);
    expectValid(spec, nameOf(name), value);
    const other = spec.conflicts?.find((conflict) => values[conflict] !== undefined);
    if (other === undefined) continue;
    const reason = spec.group === undefined ? '' : `: each says ${spec.group}`;
    throw new UsageError(`${nameOf(name)} and ${nameOf(other)} cannot be combined${reason}`);
  }
  const problem = check?.(values, nameOf);
  if (problem !== undefined) throw new UsageError(problem);
}

function expectValid({ expected, isValid, repeatable, secret }: OptionSpec, name: string, value: unknown) {
  const isList = Array.isArray(value) && value.length > 0;
  const values = repeatable && isList ? value : [repeatable ? undefined : value];
  const wrong = values.findIndex((one) => !isValid(one));
  const given = secret ? '' : `, not ${JSON.stringify(values[wrong])}`;
  if (wrong >= 0) throw new UsageError(`${name} must be ${expected}${given}`);
}

/** The long flag of an option, or the name of an argument. */
export function longFlag({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? `the ${flags.slice(1, -1)}`;
}

/** The environment variables of an option, the first that is set counts. */
export function variablesOf({ prefix }: Pick<CommandSpec, 'prefix'>, spec: OptionSpec): string[] {
  const name = longFlag(spec).slice(2).replaceAll('-', '_').toUpperCase();
  return [...(prefix === undefined ? [] : [`${prefix}${name}`]), ...(spec.variables ?? [])];
}

/** The default of an option in words; empty when it has none. */
export function describeDefault({ default: usual = '', defaultText }: OptionSpec): string {
  return defaultText ?? (typeof usual === 'boolean' ? '' : String(usual));
}

/** Prints the rows of a command's options for a table in Markdown; variables have a column where there are any. */
export function printOptionRows(command: Pick<CommandSpec, 'options' | 'prefix'>): string[] {
  const rows = Object.values(command.options).map((spec) => ({
    spec,
    variables: variablesOf(command, spec),
  }));
  const hasVariables = rows.some(({ variables }) => variables.length > 0);
  return rows.map(({ spec, variables }) => {
    const names = variables.map((variable) => `\`${variable}\``).join(', ');
    const cells = [`\`${spec.flags}\``, ...(hasVariables ? [names] : []), describeDefault(spec)];
    return `| ${[...cells, spec.description].join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
  });
}
