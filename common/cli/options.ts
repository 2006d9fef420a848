import * as v from 'valibot';
import { type GivenMembers, type Members, readGiven } from '../schemas.ts';
import { printSuggestion } from '../text/suggest.ts';
import { UsageError } from './usage-error.ts';

/** A command and its options. `Schemas` check the values of the options, and have their defaults. */
export interface CommandSpec<Schemas extends v.ObjectEntries = v.ObjectEntries> {
  readonly name: string;
  readonly description: string;
  /** A call with options through npm. */
  readonly example: string;
  /** Lines for the end of the help, by their heading. */
  readonly notes: Readonly<Record<string, readonly string[]>>;
  readonly schemas: Schemas;
  /** Flags as in `-p, --port <number>`, or `<url>` and `[url]` for an argument; a default that is not one value, in words. */
  readonly options: Readonly<Record<string, OptionText>>;
  /** Names of the options below each heading of the help. Arguments have no heading. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Start of the environment variable of each option, as in `ANIMAL_STORE_API_KEY`. @default only `variables` count */
  readonly prefix?: string;
  /** A further variable of an option; the one with the prefix wins. */
  readonly variables?: Readonly<Record<string, string>>;
  /** If one of these options is on the command line, the variables of all of them are ignored. */
  readonly together?: readonly string[];
  /** Describes what is wrong with values that are valid one by one. */
  check?(values: GivenMembers<Schemas>, nameOf: (name: string) => string): string | undefined;
}

type OptionText = readonly [flags: string, help: string, defaultInWords?: string];

/** @param nameOf names an option as the user gave it. @throws UsageError naming the option and what was expected of it */
export function expectOptions<Schemas extends v.ObjectEntries>(
  { schemas, check }: Pick<CommandSpec<Schemas>, 'schemas' | 'check'>,
  given: object,
  nameOf = (name: string) => name,
): GivenMembers<Schemas> {
  const describeUnknown = (name: string) =>
    `there is no option ${name}${printSuggestion(name, Object.keys(schemas))}`;
  const { values, problems } = readGiven(schemas, given, describeUnknown, nameOf);
  const problem = problems[0] ?? check?.(values, nameOf);
  if (problem !== undefined) throw new UsageError(problem);
  return values;
}

export function fillDefaults<Schemas extends v.ObjectEntries>(
  { schemas }: Pick<CommandSpec<Schemas>, 'schemas'>,
  given: GivenMembers<Schemas>,
): Members<Schemas> {
  return { ...v.getDefaults(v.object(schemas)), ...given } as Members<Schemas>;
}

/** Returns the flag of an option, such as `--port`. */
export function longFlag({ options }: Pick<CommandSpec, 'options'>, name: string): string {
  const [flags = ''] = options[name] ?? [];
  return /--[\w-]+/.exec(flags)?.[0] ?? `the ${flags.slice(1, -1)}`;
}

/** Returns the environment variables of an option; the first that is set counts. */
export function variablesOf({ prefix, variables, options }: CommandSpec, name: string): string[] {
  const flag = longFlag({ options }, name);
  const prefixed = prefix && `${prefix}${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
  return [prefixed, variables?.[name]].filter((variable) => variable !== undefined);
}

export function describeDefault({ options, schemas }: CommandSpec, name: string): string {
  const usual = options[name]?.[2] ?? v.getDefault(schemas[name] as v.GenericSchema) ?? '';
  return typeof usual === 'boolean' ? '' : String(usual);
}
