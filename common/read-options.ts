import { Command, CommanderError, Option } from 'commander';
import {
  type CommandSpec,
  describeDefault,
  expectOptions,
  longFlag,
  type OptionSpec,
  type OptionTable,
  type OptionValues,
  variablesOf,
} from './options.ts';
import { UsageError } from './usage-error.ts';

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line gives: a text, the texts of a repeatable option, or whether a flag is on. */
type Written = string | readonly string[] | boolean;

/**
 * Reads the command line and, for options that it does not give, the environment; an empty variable counts as not set.
 * --help is answered on stdout, and so is --version when there is one.
 *
 * @throws UsageError naming the flag or variable and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help and --version.
 */
export function readOptions<Table extends OptionTable>(
  command: CommandSpec<Table>,
  argv: readonly string[],
  { environment = process.env, version }: { environment?: Environment; version?: string } = {},
): OptionValues<Table> {
  const given = parseCommandLine(command, argv, version);
  const decided = new Set([...given.keys()].map((name) => command.options[name]?.group ?? name));
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const [name, spec] of Object.entries(command.options)) {
    const isSet = (variable: string) => !decided.has(spec.group ?? name) && environment[variable];
    const variable = variablesOf(command, spec).find(isSet);
    const written = given.get(name) ?? (variable && environment[variable]);
    if (written === undefined) continue;
    sources[name] = variable ?? longFlag(spec);
    values[name] = toValue(spec, written);
  }
  expectOptions(command, values as OptionValues<Table>, (name) => sources[name] ?? name);
  return values as OptionValues<Table>;
}

function toValue({ fromText = (text) => text, repeatable = false }: OptionSpec, written: Written): unknown {
  if (typeof written === 'boolean') return written;
  if (!repeatable) return fromText(String(written));
  return (typeof written === 'string' ? written.trim().split(/\s+/) : written).map(fromText);
}

function parseCommandLine(
  spec: Omit<CommandSpec, 'check'>,
  argv: readonly string[],
  version?: string,
): Map<string, Written> {
  const command = new Command(spec.name)
    .description(spec.description)
    .helpOption('--help', 'print this help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .allowExcessArguments();
  if (version !== undefined) command.version(version, '--version', 'print the version');
  const readers = Object.entries(spec.options).map(
    ([name, one]) => [name, addOption(command, one, variablesOf(spec, one))] as const,
  );
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    throw toUsageError(error);
  }
  const given = new Map<string, Written>();
  for (const [name, read] of readers) {
    const written = read();
    if (written !== undefined) given.set(name, written);
  }
  expectNoExcess(spec, given, command.args[command.registeredArguments.length]);
  return given;
}

function expectNoExcess(
  { options, example }: Omit<CommandSpec, 'check'>,
  given: Map<string, Written>,
  excess?: string,
) {
  if (excess === undefined) return;
  // It may be the second half of a key with a space in it.
  const mayBeSecret = [...given.keys()].some((name) => options[name]?.secret);
  const what = mayBeSecret ? '' : ` ${JSON.stringify(excess)}`;
  const hint = `npm passes options on only after --, as in: ${example}`;
  throw new UsageError(`there is an argument${what} that belongs to no option (${hint})`);
}

/** @returns what reads the option once the command line is parsed. */
function addOption(
  command: Command,
  spec: OptionSpec,
  variables: readonly string[],
): () => Written | undefined {
  const { flags, description, repeatable } = spec;
  if (!flags.startsWith('-')) {
    const index = command.registeredArguments.length;
    command.argument(flags, description);
    return () => command.args[index];
  }
  const notes = [
    ...(variables.length > 0 ? [`env: ${variables.join(', ')}`] : []),
    ...(describeDefault(spec) === '' ? [] : [`default: ${describeDefault(spec)}`]),
  ];
  const option = new Option(flags, notes.length > 0 ? `${description} (${notes.join('; ')})` : description);
  if (repeatable) option.argParser((text, texts: readonly string[] = []) => [...texts, text]);
  command.addOption(option);
  const attribute = option.attributeName();
  return () =>
    command.getOptionValueSource(attribute) === 'cli' ? command.getOptionValue(attribute) : undefined;
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
  const variableOf = (flag: string) => `npm_config_${flag.replace(/^--(no-)?/, '').replaceAll('-', '_')}`;
  return Object.values(options)
    .map(longFlag)
    .find((flag) => variableOf(flag) in environment);
}
