import type * as v from 'valibot';
import { checkMembers } from '../read-members.ts';
import { printSuggestion } from '../text/suggest.ts';
import { UsageError } from './usage-error.ts';

/** Whether an option has to be given, and what it is otherwise: its default, or undefined. */
type Presence = 'required' | 'default' | 'optional';

/** Option of a function: what it may be, and its default. */
export interface Member<Input = unknown, Output = unknown, Is extends Presence = Presence> {
  readonly schema: v.GenericSchema<Input, Output>;
  readonly presence: Is;
  readonly default?: Output;
  /** Names of options that cannot be given as well. */
  readonly conflicts?: readonly string[];
  /** Name of an option that has to be given as well. */
  readonly requires?: string;
}

/** Option of a command, and perhaps of a function too. */
export interface Option<Input = unknown, Output = unknown, Is extends Presence = Presence>
  extends Member<Input, Output, Is>,
    OptionText {}

interface OptionText {
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

type Row<Input, Output> = Omit<Option<Input, Output>, 'presence' | 'default' | 'flags' | 'help' | 'group'>;

/** Creates the row of an option. @param help what the option does, in at most 60 characters */
export function option<Input, Output>(
  flags: string,
  help: string,
  row: Row<Input, Output> & { readonly isRequired: true },
): Option<Input, Output, 'required'>;
export function option<Input, Output>(
  flags: string,
  help: string,
  row: Row<Input, Output> & { readonly default: NoInfer<Output> },
): Option<Input, Output, 'default'>;
export function option<Input, Output>(
  flags: string,
  help: string,
  row: Row<Input, Output>,
): Option<Input, Output, 'optional'>;
export function option(
  flags: string,
  help: string,
  {
    isRequired = false,
    ...row
  }: Row<unknown, unknown> & { readonly isRequired?: boolean; readonly default?: unknown },
): Option {
  return { flags, help, ...row, presence: findPresence(isRequired, row.default) };
}

/** Creates the row of an option that a function has and no command. */
export function member<Input, Output>(
  schema: v.GenericSchema<Input, Output>,
  usual: NoInfer<Output>,
): Member<Input, Output, 'default'>;
export function member<Input, Output>(
  schema: v.GenericSchema<Input, Output>,
): Member<Input, Output, 'optional'>;
export function member(schema: v.GenericSchema, usual?: unknown): Member {
  return { schema, presence: findPresence(false, usual), default: usual };
}

function findPresence(isRequired: boolean, usual: unknown): Presence {
  if (isRequired) return 'required';
  return usual === undefined ? 'optional' : 'default';
}

export function withDefault<Input, Output>(
  row: Option<Input, Output>,
  usual: NoInfer<Output>,
): Option<Input, Output, 'default'> {
  return { ...row, default: usual, presence: 'default' };
}

/** Returns an option that need not be given, and has no default. */
export function asOptional<Input, Output>({
  default: _,
  ...row
}: Option<Input, Output>): Option<Input, Output, 'optional'> {
  return { ...row, presence: 'optional' };
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
  readonly [Name in keyof Interface]-?: Member<
    unknown,
    unknown,
    object extends Pick<Interface, Name> ? 'default' | 'optional' : 'required'
  >;
};

type RequiredNames<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { readonly presence: 'required' } ? Name : never;
}[keyof Rows];

type InputOf<Row> = Row extends Member<infer Input> ? AsReadonly<Input> : never;
type AsReadonly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type OutputOf<Row> = Row extends Member<unknown, infer Output> ? Output : never;

/** What a program may give. */
export type Inputs<Rows> = { readonly [Name in keyof Rows]?: InputOf<Rows[Name]> | undefined };

export type Given<Rows> = { readonly [Name in keyof Rows]?: OutputOf<Rows[Name]> } & {
  readonly [Name in RequiredNames<Rows>]: OutputOf<Rows[Name]>;
};

export type Filled<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends { readonly presence: 'optional' }
    ? OutputOf<Rows[Name]> | undefined
    : OutputOf<Rows[Name]>;
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
    ([name, { presence }]) => presence === 'required' || all[name] !== undefined,
  );
  const schemas = Object.fromEntries(asked.map(([name, { schema }]) => [name, schema]));
  const describeUnknown = (name: string) =>
    `there is no option ${name}${printSuggestion(name, Object.keys(rows))}`;
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
  for (const [name, { conflicts = [], requires }] of Object.entries(rows)) {
    if (!isGiven(name)) continue;
    const rival = conflicts.find(isGiven);
    if (rival !== undefined) return `${nameOf(name)} and ${nameOf(rival)} cannot be combined. Leave one out.`;
    if (requires !== undefined && !isGiven(requires)) return `${nameOf(name)} requires ${nameOf(requires)}`;
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
    readonly [Name in keyof Rows]: Rows[Name] extends { readonly presence: 'default' }
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
