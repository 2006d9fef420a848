import { Command, CommanderError, Option } from 'commander';
import {
  type CommandSpec,
  describeDefault,
  expectTogether,
  expectValid,
  longFlag,
  type OptionSpec,
  type OptionTable,
  type OptionValues,
} from './options.ts';
import { UsageError } from './usage-error.ts';

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the command line and, for options that it does not give, the environment; an empty variable counts as not set.
 * --help is answered on stdout, and so is --version where there is one.
 *
 * @throws UsageError naming the flag or variable and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help and --version.
 */
export function readOptions<Table extends OptionTable>(
  command: CommandSpec<Table> & { readonly version?: string },
  argv: readonly string[],
  environment: Environment = process.env,
): OptionValues<Table> {
  const given = parseCommandLine(command, argv);
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  const decided = new Set([...given.keys()].map((name) => command.options[name]?.group));
  for (const [name, spec] of Object.entries(command.options)) {
    const isAside = given.has(name) || (spec.group !== undefined && decided.has(spec.group));
    const variable = isAside ? undefined : spec.variables?.find((candidate) => environment[candidate]);
    const written = given.get(name) ?? (variable && environment[variable]);
    if (written === undefined) continue;
    sources[name] = variable ?? longFlag(spec);
    values[name] = toValue(spec, written);
    expectValid(spec, sources[name], values[name]);
  }
  expectTogether(command, values as OptionValues<Table>, (name) => sources[name] ?? name);
  return values as OptionValues<Table>;
}

/** What the command line gives: a text, the texts of a repeatable option, or whether a flag is on. */
type Written = string | readonly string[] | boolean;

function toValue({ fromText = (text) => text, repeatable = false }: OptionSpec, written: Written): unknown {
  if (typeof written === 'boolean') return written;
  if (!repeatable) return fromText(String(written));
  return (typeof written === 'string' ? written.trim().split(/\s+/) : written).map(fromText);
}

function parseCommandLine(
  {
    name,
    description,
    example,
    options,
    version,
  }: Omit<CommandSpec, 'check'> & { readonly version?: string },
  argv: readonly string[],
): Map<string, Written> {
  const command = new Command(name)
    .description(description)
    .helpOption('--help', 'print this help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .allowExcessArguments();
  if (version !== undefined) command.version(version, '--version', 'print the version');
  const readers = Object.entries(options).map(([key, spec]) => [key, addOption(command, spec)] as const);
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    throw toUsageError(error);
  }
  const written = readers.map(([key, read]) => [key, read()] as const);
  const given = new Map(written.filter((entry): entry is [string, Written] => entry[1] !== undefined));
  const excess = command.args[command.registeredArguments.length];
  if (excess === undefined) return given;
  // It may be the second half of a key with a space in it.
  const mayBeSecret = Object.entries(options).some(([key, { secret }]) => secret === true && given.has(key));
  const what = mayBeSecret ? '' : ` ${JSON.stringify(excess)}`;
  const hint = `npm passes options on only after --, as in: ${example}`;
  throw new UsageError(`there is an argument${what} that belongs to no option (${hint})`);
}

/** @returns what reads the option once the command line is parsed. */
function addOption(command: Command, spec: OptionSpec): () => Written | undefined {
  const { flags, description, repeatable = false } = spec;
  if (!flags.startsWith('-')) {
    const index = command.registeredArguments.length;
    command.argument(flags, description);
    return () => command.args[index];
  }
  const option = new Option(flags, `${description}${printNotes(spec)}`);
  if (repeatable) option.argParser((text, texts: readonly string[] = []) => [...texts, text]);
  command.addOption(option);
  const attribute = option.attributeName();
  return () =>
    command.getOptionValueSource(attribute) === 'cli' ? command.getOptionValue(attribute) : undefined;
}

function printNotes(spec: OptionSpec): string {
  const { variables = [] } = spec;
  const usual = describeDefault(spec);
  const notes = [
    ...(variables.length === 0 ? [] : [`env: ${variables.join(', ')}`]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

function toUsageError(error: unknown): unknown {
  if (!(error instanceof CommanderError) || error.exitCode === 0) return error;
  // What follows the `=` of an unknown option, or its one letter, may be a key.
  const unknownOption = /^(unknown option '(?:--[^'=]*=|-[^'-]))[^']+/s;
  return new UsageError(error.message.replace(/^error: /, '').replace(unknownOption, '$1…'));
}

/** Whether the process is the child of a shell that `npm start` or `npm run proxy` has started. */
export function isStartedByNpm(environment: Environment = process.env): boolean {
  return environment.npm_lifecycle_event === 'start' || environment.npm_lifecycle_event === 'proxy';
}

/**
 * The flag that npm has kept to itself: of `npm start --port 1` a command gets nothing but a variable of npm's. The same
 * variable comes from a user's npm configuration, so it is no more than a hint.
 */
export function findFlagKeptByNpm(
  { options }: Pick<CommandSpec, 'options'>,
  environment: Environment = process.env,
): string | undefined {
  if (!isStartedByNpm(environment)) return undefined;
  return Object.values(options)
    .map(longFlag)
    .find((flag) => `npm_config_${flag.replace(/^--(no-)?/, '').replaceAll('-', '_')}` in environment);
}
