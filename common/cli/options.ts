import type * as v from 'valibot';
import { checkMembers } from '../read-members.ts';
import { printSuggestion } from '../text/suggest.ts';
import { UsageError } from './usage-error.ts';

/** Option of a function: what it may be, and its default. */
export interface Member {
  readonly schema: v.GenericSchema;
  /** @default false */
  readonly isRequired?: boolean;
  readonly default?: unknown;
  /** Names of options that cannot be given as well. */
  readonly conflicts?: readonly string[];
}

/** Option of a command, and perhaps of a function too. */
export interface Option extends Member {
  /** As in `-p, --port <number>`, or `<url>` and `[url]` for an argument. An option without a value is a switch. */
  readonly flags: string;
  /** What the option does, in at most 60 characters. */
  readonly help: string;
  /** Heading of the option in the help. Arguments have none. */
  readonly group?: string;
  /** Collects the values of an option that is repeated. Without it, the last value counts. */
  readonly isRepeatable?: true;
  /** Default in words; empty if the help already shows it. @default the value of `default` */
  readonly defaultInWords?: string;
  /** Environment variable of the option. The one with the prefix of the command wins. */
  readonly variable?: string;
}

type Row = Omit<Option, 'flags' | 'help' | 'group'>;

/** Creates the row of an option. @param help what the option does, in at most 60 characters */
export function option<const Given extends Row>(
  flags: string,
  help: string,
  row: Given & { readonly default?: v.InferOutput<Given['schema']> },
) {
  return { flags, help, ...row };
}

/** Returns options with their heading in the help. */
export function inGroup<Rows extends Options>(group: string, rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, group }])) as Rows;
}

type Members = Readonly<Record<string, Member>>;

export type Options = Readonly<Record<string, Option>>;

/**
 * Rows of the options that an interface documents: one for each member, which is required or not. `expectOptions` compares what
 * they may be.
 */
export type RowsOf<Interface> = {
  readonly [Name in keyof Interface]-?: Member &
    (object extends Pick<Interface, Name> ? { readonly isRequired?: false } : { readonly isRequired: true });
};

type RequiredNames<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { readonly isRequired: true } ? Name : never;
}[keyof Rows];

type InputOf<Row> = Row extends Member ? AsReadonly<v.InferInput<Row['schema']>> : never;
type AsReadonly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type OutputOf<Row> = Row extends Member ? v.InferOutput<Row['schema']> : never;

/** What a program may give. */
export type Inputs<Rows> = { readonly [Name in keyof Rows]?: InputOf<Rows[Name]> | undefined };

export type Given<Rows> = { readonly [Name in keyof Rows]?: OutputOf<Rows[Name]> } & {
  readonly [Name in RequiredNames<Rows>]: OutputOf<Rows[Name]>;
};

export type Filled<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends
    | { readonly isRequired: true }
    | { readonly default: unknown }
    ? OutputOf<Rows[Name]>
    : OutputOf<Rows[Name]> | undefined;
};

/** Describes what is wrong with values that are valid one by one. @param nameOf names an option as the user gave it */
export type CheckTogether<Rows> = (
  values: Given<Rows>,
  nameOf: (name: string) => string,
) => string | undefined;

export interface CommandSpec<Rows extends Options = Options> {
  readonly name: string;
  readonly description: string;
  /** A call with options through npm. */
  readonly example: string;
  /** Lines for the end of the help, by their heading. */
  readonly notes: Readonly<Record<string, readonly string[]>>;
  readonly options: Rows;
  /** Names of the options that most users need: `--help` prints these, and `--help-all` all. @default all options */
  readonly usual?: readonly string[];
  /** Runs a command of the user, which follows `--`. @default false */
  readonly takesCommand?: true;
  /** Words that, as the first one, call for another task, such as `check`. @default none */
  readonly tasks?: readonly string[];
  /** Start of the environment variable of each option, as in `ANIMAL_STORE_API_KEY`. @default only `variable` counts */
  readonly prefix?: string;
  /** If one of these options is on the command line, the variables of all of them are ignored. */
  readonly together?: readonly string[];
  /** Methods compare parameters in both directions, so that a command with more options fits. */
  check?(...parameters: Parameters<CheckTogether<NoInfer<Rows>>>): string | undefined;
}

/**
 * Checks options.
 * @param nameOf names an option as the user gave it. @throws UsageError naming the option and what was expected of it
 */
export function expectOptions<Rows extends Members>(
  rows: Rows,
  given: Inputs<Rows>,
  check?: CheckTogether<Rows>,
  nameOf = (name: string) => name,
): Given<Rows> {
  const all: Readonly<Record<string, unknown>> = given;
  const asked = Object.entries<Member>(rows).filter(
    ([name, { isRequired }]) => isRequired || all[name] !== undefined,
  );
  const schemas = Object.fromEntries(asked.map(([name, { schema }]) => [name, schema]));
  const describeUnknown = (name: string) => {
    // The command has --no-admin, and a program the switch itself.
    const [first = '', ...others] = name.replace(/^no/, '');
    const positive = first.toLowerCase() + others.join('');
    const isSwitch = positive !== name && rows[positive]?.schema.type === 'boolean';
    const hint = isSwitch ? `. Write ${positive}: false` : printSuggestion(name, Object.keys(rows));
    return `there is no option ${name}${hint}`;
  };
  const { values, problems } = checkMembers(schemas, all, describeUnknown, nameOf);
  const checked = values as Given<Rows>;
  const problem = problems[0] ?? findConflict(rows, values, nameOf) ?? check?.(checked, nameOf);
  if (problem !== undefined) throw new UsageError(problem);
  return checked;
}

function findConflict(
  rows: Members,
  values: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string,
): string | undefined {
  // A switch that is off conflicts with nothing.
  const isGiven = (name: string) => (values[name] ?? false) !== false;
  for (const [name, { conflicts = [] }] of Object.entries(rows)) {
    if (!isGiven(name)) continue;
    const rival = conflicts.find(isGiven);
    if (rival !== undefined) return `${nameOf(name)} and ${nameOf(rival)} cannot be combined. Leave one out.`;
  }
  return undefined;
}

export function fillDefaults<Rows extends Members>(rows: Rows, given: Given<Rows>): Filled<Rows> {
  return { ...defaultsOf(rows), ...given } as Filled<Rows>;
}

/** Returns the defaults of options. An option without a default is undefined. */
export function defaultsOf<Rows extends Members>(rows: Rows) {
  const defaults = Object.entries<Member>(rows).map(([name, { default: usual }]) => [name, usual]);
  return Object.fromEntries(defaults) as {
    readonly [Name in keyof Rows]: Rows[Name] extends { readonly default: unknown }
      ? OutputOf<Rows[Name]>
      : undefined;
  };
}

/** Returns the flag of an option, such as `--port`. */
export function longFlag(options: Options, name: string): string {
  const flags = options[name]?.flags ?? '';
  return /--[\w-]+/.exec(flags)?.[0] ?? `the ${flags.slice(1, -1)}`;
}

/** Returns the environment variables of an option; the first that is set counts. */
export function variablesOf({ prefix, options }: CommandSpec, name: string): string[] {
  const prefixed =
    prefix && `${prefix}${longFlag(options, name).slice(2).replaceAll('-', '_').toUpperCase()}`;
  return [prefixed, options[name]?.variable].filter((variable) => variable !== undefined);
}

/** Returns the default of an option in words; empty if it has none, or is a switch. */
export function describeDefault({ default: usual, defaultInWords }: Option): string {
  return defaultInWords ?? (typeof usual === 'boolean' ? '' : String(usual ?? ''));
}
