import { Command, CommanderError, Option } from 'commander';
import { createHideKeys, isKeyName } from './hide-keys.ts';
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

/** A command, whatever the types of its options. */
type AnyCommand = Omit<CommandSpec, 'check'>;

/** What the command line gives: a text, the texts of a repeatable option, or whether a flag is on. */
type Written = string | readonly string[] | boolean;

/**
 * Reads the command line and, for options that it does not give, the environment; an empty variable counts as not set.
 * --help is answered on stdout, and so is --version when there is one.
 * @throws UsageError naming the flag or variable and what was expected of it.
 * @throws CommanderError with exitCode 0 after --help and --version.
 */
export function readOptions<Table extends OptionTable>(
  command: CommandSpec<Table>,
  argv: readonly string[],
  { environment = process.env, version }: { environment?: Environment; version?: string } = {},
): OptionValues<Table> {
  const given = parseCommandLine(command, argv, version);
  const { names: rivals = [] }: { names?: readonly string[] } = command.rivals ?? {};
  const isRivalGiven = rivals.some((name) => given.has(name));
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const [name, spec] of Object.entries(command.options)) {
    const isDecided = given.has(name) || (isRivalGiven && rivals.includes(name));
    const variables = isDecided ? [] : variablesOf(command, spec);
    const variable = variables.find((one) => environment[one]);
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

function parseCommandLine(spec: AnyCommand, argv: readonly string[], version?: string): Map<string, Written> {
  const command = new Command(spec.name)
    .description(spec.description)
    .addHelpText('after', printCalls(spec))
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .allowExcessArguments();
  if (version !== undefined) command.version(version, '-v, --version', 'print the version');
  const given = new Map<string, Written>();
  for (const name of Object.keys(spec.options)) addOption(command, spec, name, given);
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    throw toUsageError(error);
  }
  expectNoExcess(spec, given, command.args[command.registeredArguments.length]);
  return given;
}

/** What stands below the options in the help. */
function printCalls({ calls = [], examples }: AnyCommand): string {
  const width = Math.max(...calls.map(([line]) => line.length));
  const told = calls.map(([line, what]) => `${line.padEnd(width)}  ${what}`);
  const print = (title: string, lines: readonly string[]) => ['', title, ...lines.map((line) => `  ${line}`)];
  return [...(told.length > 0 ? print('Commands:', told) : []), ...print('Examples:', examples)].join('\n');
}

function expectNoExcess(
  { name, options, example, calls = [] }: AnyCommand,
  given: Map<string, Written>,
  excess?: string,
) {
  if (excess === undefined) return;
  // It may be the second half of a key with a space in it, or a URL with a password.
  const mayBeSecret = [...given.keys()].some((name) => options[name]?.secret) || /[^\w.-]/.test(excess);
  const what = mayBeSecret ? '' : ` ${JSON.stringify(excess)}`;
  const hint = `npm passes options on only after --, as in: ${example}`;
  const hasCommand = calls.some(([line]) => line.endsWith('-- <command>'));
  const beside = hasCommand ? `; write a command to run after --, as in: ${name} -- npm test` : '';
  throw new UsageError(`there is an argument${what} that belongs to no option (${hint}${beside})`);
}

/** Adds an option or an argument to the command; what is given of it goes into `given`. */
function addOption(command: Command, spec: AnyCommand, name: string, given: Map<string, Written>): void {
  const one = spec.options[name] as OptionSpec;
  const { flags, description, repeatable } = one;
  if (!flags.startsWith('-')) {
    command.argument(flags, description, (text) => void given.set(name, text));
    return;
  }
  const [variables, usual] = [variablesOf(spec, one).join(', '), describeDefault(spec, name)];
  const notes = [variables && `env: ${variables}`, usual && `default: ${usual}`].filter(Boolean).join('; ');
  const option = new Option(flags, notes === '' ? description : `${description} (${notes})`);
  command.addOption(option).on(`option:${option.name()}`, (text?: string) => {
    const earlier = (given.get(name) ?? []) as readonly string[];
    given.set(name, repeatable ? [...earlier, `${text}`] : (text ?? !option.negate));
  });
}

function toUsageError(error: unknown): unknown {
  if (!(error instanceof CommanderError) || error.exitCode === 0) return error;
  // What follows the words of an unknown option, or its one letter, may be a key.
  const unknownOption = /^(unknown option '(?:--[a-z-]*=?|-[^'-]))[^']+/s;
  return new UsageError(error.message.replace(/^error: /, '').replace(unknownOption, '$1…'));
}

/** Whether a key follows a flag, also when that is mistyped. */
function isKeyFlag(flag: string): boolean {
  return isKeyName(flag) || /header|^-H/i.test(flag);
}

/**
 * Creates what hides keys in what is said of a command line: those of the variables of keys, those that a flag
 * gives that is, or means to be, one for a key or a header, also when it runs into its flag, and users and passwords of URLs.
 */
export function createHideGiven(
  argv: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): (text: string) => string {
  const given = argv.flatMap((word, index) => {
    const [, flag = '', value = argv[index + 1] ?? ''] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const [, glued = ''] =
      /^--?(?:api-?)?(?:key|token|secret|password|auth|bearer)\W*(.*)$/is.exec(word) ?? [];
    const [, user = '', password = ''] = /:\/\/(?:([^:@]*):)?(.*)@/s.exec(word) ?? [];
    return [...(isKeyFlag(flag) ? [value] : []), glued, user, password];
  });
  const { ANIMAL_STORE_API_KEY = '', ANIMAL_STORE_ADMIN_TOKEN = '' } = environment;
  const words = [ANIMAL_STORE_API_KEY, ANIMAL_STORE_ADMIN_TOKEN, ...given].flatMap((value) => [
    value,
    ...value.split(/\s+/),
  ]);
  const keys = words.flatMap((word) => [word, word.slice(word.indexOf(':') + 1)]);
  return createHideKeys(keys.filter((key) => !/^(?:bearer|basic|[\w-]+:)$/i.test(key)));
}

/**
 * Splits a command line at the first `--`: what is before it is ours, what is behind it the command that runs beside.
 * @throws UsageError when nothing is behind it.
 */
export function splitCommand(argv: readonly string[]) {
  const end = argv.indexOf('--');
  if (end < 0) return { own: argv, words: undefined };
  const words = argv.slice(end + 1);
  if (words.length === 0) throw new UsageError('there is no command after --, such as: -- npm test');
  return { own: argv.slice(0, end), words };
}

/** The environment of this process with these in it. */
export function extendEnvironment(variables: Environment): Environment {
  return { ...process.env, ...variables };
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
  const flags = Object.values(options).map(longFlag);
  return flags.find(
    (flag) => `npm_config_${flag.replace(/^--(no-)?/, '').replaceAll('-', '_')}` in environment,
  );
}
