import { UsageError } from './usage-error.ts';

/** What a value must be, and how a text becomes one. */
export interface ValueKind<T> {
  /** To be read after "must be". */
  readonly expected: string;
  /** Turns a text into a value, which may still be an invalid one. @default the text itself */
  readonly fromText?: (text: string) => unknown;
  readonly isValid: (value: unknown) => value is T;
}

/** What is known of an option, wherever its value comes from. */
export interface OptionSpec<T = unknown> extends ValueKind<T> {
  /** As on the command line, such as `-p, --port <number>`; `<url>` and `[url]` stand for an argument of their own. */
  readonly flags: string;
  readonly description: string;
  /** The environment variables that stand in for it; the first one that is set counts. @default none */
  readonly variables?: readonly string[];
  readonly default?: unknown;
  /** The default in words, where it is not one value. */
  readonly defaultText?: string;
  /** Whether its value is kept out of messages. @default false */
  readonly secret?: boolean;
  /** Whether it may be given more than once: its value is an array, a variable has spaces between. @default false */
  readonly repeatable?: boolean;
  /** The names of the options that it cannot be combined with. */
  readonly conflicts?: readonly string[];
  /** What options decide together: one of them on the command line puts the variables of all aside. */
  readonly group?: string;
}

/** The options of a command, by their names in the program. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** A command and its options. */
export interface CommandSpec<Table extends OptionTable = OptionTable> {
  readonly name: string;
  readonly description: string;
  /** How its options are given through npm. */
  readonly example: string;
  readonly options: Table;
  /** What is wrong with values that are valid one by one; `nameOf` names an option as the user gave it. */
  readonly check?: (values: OptionValues<Table>, nameOf: NameOf<Table>) => string | undefined;
}

type NameOf<Table> = (name: keyof Table & string) => string;

type ValueOf<Spec> =
  Spec extends ValueKind<infer T> ? (Spec extends { readonly repeatable: true } ? readonly T[] : T) : never;

/** The options that were given. */
export type OptionValues<Table> = { readonly [Name in keyof Table]?: ValueOf<Table[Name]> };

/** All options: each was given, has its default, is an argument that cannot be left out, or is undefined. */
export type FilledOptions<Table> = {
  readonly [Name in keyof Table]:
    | ValueOf<Table[Name]>
    | (Table[Name] extends { readonly default: unknown } | { readonly flags: `<${string}>` }
        ? never
        : undefined);
};

/** Returns the command as it is, with the types of its options. */
export function defineCommand<const Table extends OptionTable>(
  command: CommandSpec<Table>,
): CommandSpec<Table> {
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
 * Checks options that a program was given.
 *
 * @throws UsageError naming the option and what was expected of it.
 */
export function expectOptions<Table extends OptionTable>(
  command: CommandSpec<Table>,
  values: OptionValues<Table>,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const spec = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
    if (spec === undefined) throw new UsageError(`there is no option ${name}`);
    expectValid(spec, name, value);
  }
  expectTogether(command, values, (name) => name);
}

/** @throws UsageError unless the value, or each value of a repeatable option, is valid. */
export function expectValid(spec: OptionSpec, source: string, value: unknown): void {
  const { expected, isValid, repeatable = false, secret = false } = spec;
  const isList = Array.isArray(value) && value.length > 0;
  const values = repeatable && isList ? value : [repeatable ? undefined : value];
  for (const one of values) {
    const given = secret ? '' : `, not ${JSON.stringify(one)}`;
    if (!isValid(one)) throw new UsageError(`${source} must be ${expected}${given}`);
  }
}

/** @throws UsageError when options cannot be combined. */
export function expectTogether<Table extends OptionTable>(
  { options, check }: CommandSpec<Table>,
  values: OptionValues<Table>,
  nameOf: NameOf<Table>,
): void {
  for (const [name, { conflicts = [], group }] of Object.entries(options)) {
    const other = conflicts.find((conflict) => values[conflict] !== undefined);
    if (values[name] === undefined || other === undefined) continue;
    const reason = group === undefined ? '' : `: each says ${group}`;
    throw new UsageError(`${nameOf(name)} and ${nameOf(other)} cannot be combined${reason}`);
  }
  const problem = check?.(values, nameOf);
  if (problem !== undefined) throw new UsageError(problem);
}

/** The long flag of an option, or the name of an argument. */
export function longFlag({ flags }: OptionSpec): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? `the ${flags.slice(1, -1)}`;
}

/** The default of an option in words, or undefined when it has none. */
export function describeDefault(spec: OptionSpec): string | undefined {
  if (spec.defaultText !== undefined) return spec.defaultText;
  return spec.default === undefined || typeof spec.default === 'boolean' ? undefined : String(spec.default);
}

/** Prints the rows of a command's options for a table in Markdown; variables have a column where there are any. */
export function printOptionRows({ options }: Pick<CommandSpec, 'options'>): string[] {
  const specs = Object.values(options);
  const hasVariables = specs.some(({ variables }) => variables !== undefined);
  return specs.map((spec) => {
    const variables = (spec.variables ?? []).map((variable) => `\`${variable}\``).join(', ');
    const others = [describeDefault(spec) ?? '', spec.description];
    const cells = [`\`${spec.flags}\``, ...(hasVariables ? [variables] : []), ...others];
    return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
  });
}

/** Any text. */
export function text(expected: string, pattern = /^/): ValueKind<string> {
  return { expected, isValid: (value): value is string => typeof value === 'string' && pattern.test(value) };
}

/** One of some texts. */
export function oneOf<const T extends string>(values: readonly T[]): ValueKind<T> {
  return { expected: inWords(values), isValid: (value): value is T => values.includes(value as T) };
}

/** Texts as they stand in a sentence. */
export function inWords(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** An integer in decimal digits, within bounds that belong to it. */
export function integer(least: number, largest: number, unit = ''): ValueKind<number> {
  return {
    expected: `an integer from ${least} to ${largest}${unit}`,
    fromText: (digits) => (/^\d{1,15}$/.test(digits) ? Number(digits) : digits),
    isValid: (value): value is number =>
      Number.isInteger(value) && Number(value) >= least && Number(value) <= largest,
  };
}

/** A port to listen on. */
export const port: ValueKind<number> = integer(0, 65_535);

/** A host name or an address to listen on. */
export const host: ValueKind<string> = text('a host name or an IP address', /^\S+$/);

const switches = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** An option without a value: its flag makes it true, and `--no-…` false. */
export const flag: ValueKind<boolean> = {
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
};

/** An option whose flag is `--no-…`; its variable says in words whether it is off. */
export const offSwitch: ValueKind<boolean> = {
  ...flag,
  fromText: (word) => (switches.has(word) ? !switches.get(word) : word),
};

/** How requests are logged. */
export const logFormats = ['pretty', 'json', 'silent'] as const;

/** How requests are logged: a line for people, a JSON object, or not at all. */
export type LogFormat = (typeof logFormats)[number];
