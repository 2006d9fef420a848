import { unescape as decode } from 'node:querystring';
import { Command, CommanderError, Option as Flag } from 'commander';
import * as v from 'valibot';
import { docsPages } from '../docs-pages.ts';
import { printDocsPage } from '../print-docs-page.ts';
import { isKeyName } from '../text/find-keys.ts';
import { inWords } from '../text/in-words.ts';
import { Keys } from '../text/redact.ts';
import { printSuggestion, suggest } from '../text/suggest.ts';
import { isExecutable } from './command-name.ts';
import { type Environment, isNpmScript, readOwnCall } from './environment.ts';
import {
  type CommandSpec,
  describeDefault,
  expectOptions,
  type Given,
  type Inputs,
  longFlag,
  type Option,
  type Options,
  variablesOf,
} from './options.ts';
import { writeMessage } from './print-message.ts';
import { UsageError } from './usage-error.ts';

interface ReadConfig {
  /** @default that of this process */
  readonly environment?: Environment | undefined;
  /** What --version prints. @default there is no such option */
  readonly version?: string;
}

/**
 * Reads the command line and, for options that are not on it, the environment. An empty variable counts as not set.
 * @throws UsageError for a wrong option; CommanderError with exitCode 0 after --help, --help-all and --version.
 */
export function readOptions<Rows extends Options>(
  command: CommandSpec<Rows>,
  argv: readonly string[],
  { environment = readOwnCall().environment, version }: ReadConfig = {},
): Given<Rows> {
  const { options, together = [] } = command;
  const written = readCommandLine(command, argv, version);
  const isOneWritten = together.some((name) => written.has(name));
  const values: Record<string, unknown> = Object.fromEntries(written);
  const sources: Record<string, string> = {};
  for (const [name, option] of Object.entries<Option>(options)) {
    const isDecided = written.has(name) || (isOneWritten && together.includes(name));
    const variable = isDecided ? undefined : variablesOf(command, name).find((one) => environment[one]);
    if (variable !== undefined) values[name] = readVariable(option, `${environment[variable]}`);
    // An option that is missing is named with its value.
    const flags = option.flags.replace(/^-\w, /, '');
    sources[name] = variable ?? (written.has(name) ? longFlag(options, name) : flags);
  }
  reportMisspelt(command, argv, environment);
  const nameOf = (name: string) => sources[name] ?? name;
  const check = command.check && ((...given: Parameters<typeof command.check>) => command.check?.(...given));
  return expectOptions(options, values as Inputs<Rows>, check, nameOf);
}

/** Least length of a name without the prefix that may be misspelt: BASE is not SAVE with two wrong letters. */
const LEAST_MISSPELT = 5;

/** Names the variables that are nearly those of an option. Any other may be one of another program. */
function reportMisspelt(command: CommandSpec, argv: readonly string[], environment: Environment): void {
  const { name, prefix, options } = command;
  if (prefix === undefined) return;
  const known = Object.keys(options).flatMap((option) => variablesOf(command, option));
  const others = Object.keys(environment).filter((one) => one.startsWith(prefix) && !known.includes(one));
  for (const variable of others) {
    const isLong = variable.length >= prefix.length + LEAST_MISSPELT;
    const nearest = isLong ? suggest(variable, known) : undefined;
    if (nearest === undefined) continue;
    const message = `unknown variable ${variable}. Did you mean ${nearest}?`;
    writeMessage(name, message, findGivenKeys(argv, environment));
  }
}

const switchValues: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/**
 * Reads a variable, which can do more than a variable of commander: it may have several values, a switch may be off, and it
 * need not be of this process.
 */
function readVariable({ flags, schema, isRepeatable }: Option, text: string): unknown {
  if (isRepeatable) return text.trim().split(/\s+/);
  if (flags.includes('<')) return toScalar(schema, text);
  const isOn = Object.hasOwn(switchValues, text) ? switchValues[text] : undefined;
  return isOn === undefined ? text : isOn !== flags.startsWith('--no-');
}

/** Returns a number if the schema refuses the text, which looks like a number. */
function toScalar(schema: v.GenericSchema, text: string): unknown {
  const isNumber = /^(?:\d{1,15}|[01]?\.\d{1,15})$/.test(text);
  return isNumber && !v.is(schema, text) ? Number(text) : text;
}

/** Returns the values on the command line by the names of their options. */
function readCommandLine(spec: CommandSpec, argv: readonly string[], version?: string) {
  const written = new Map<string, unknown>();
  const command = createCommand(spec, written, version);
  const { operands, unknown } = parse(command, argv, spec.options);
  const isWhole = command.opts().helpAll === true;
  if (isWhole || unknown.some((word) => word === '-h' || word === '--help')) {
    if (isWhole && spec.usual) for (const option of command.options) option.hideHelp(false);
    command.addHelpText('after', printNotes(spec, isWhole)).outputHelp();
    throw new CommanderError(0, 'commander.helpDisplayed', 'The help was printed.');
  }
  if (unknown[0] !== undefined) {
    const known = Object.keys(spec.options).map((name) => longFlag(spec.options, name));
    throw new UsageError(describeUnknownOption(unknown[0], known));
  }
  const names = Object.keys(spec.options).filter((name) => isArgument(spec.options[name]));
  for (const [place, name] of names.entries()) {
    const text = operands[place];
    if (text !== undefined) written.set(name, text);
    else if (spec.options[name]?.flags.startsWith('<'))
      throw new UsageError(`${longFlag(spec.options, name)} is missing`);
  }
  if (operands.length > names.length) throw new UsageError(describeExcess(spec, operands, names.length));
  return written;
}

function isArgument(option: Option | undefined): boolean {
  return option?.flags.startsWith('-') === false;
}

function createCommand(spec: CommandSpec, written: Map<string, unknown>, version?: string): Command {
  const command = new Command(spec.name)
    .description(spec.description)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  for (const [name, option] of Object.entries(spec.options)) {
    if (isArgument(option)) command.argument(option.flags, option.help);
    else addOption(command, name, option, written, spec.usual?.includes(name) ?? true);
  }
  command.optionsGroup('Help:');
  if (version !== undefined) command.version(version, '-v, --version', 'print the version');
  // Where the help has everything, it is the same help.
  const whole = new Flag('--help-all', 'print all options, variables and exit codes');
  command.addOption(whole.hideHelp(spec.usual === undefined));
  return command.helpOption('-h, --help', 'print this help');
}

/** @param isUsual says to show the option in the short help */
function addOption(
  command: Command,
  name: string,
  option: Option,
  written: Map<string, unknown>,
  isUsual: boolean,
): void {
  const { flags, help, group, schema, isRepeatable } = option;
  const flag = new Flag(flags, help).helpGroup(`${group}:`).hideHelp(!isUsual);
  const usual = describeDefault(option);
  if (usual !== '') flag.default(usual, usual);
  command.addOption(flag).on(`option:${flag.name()}`, (text?: string) => {
    const earlier = (written.get(name) ?? []) as readonly string[];
    // Of `--fail-on --port 0`, commander takes the second option for the value of the first one.
    const next = command.options.find(({ short, long }) => [short, long].includes(text?.split('=', 1)[0]));
    if (text !== undefined && next !== undefined) {
      const found = text.startsWith('--') ? next.long : next.short;
      throw new UsageError(describeMissingValue(option, `, and ${found} is an option`));
    }
    if (text === undefined) written.set(name, !flag.negate);
    else written.set(name, isRepeatable ? [...earlier, text] : toScalar(schema, text));
  });
}

/** Says that an option needs a value, and which values there are. @param why follows that sentence */
function describeMissingValue({ flags, schema }: Option, why = ''): string {
  const words = 'options' in schema && Array.isArray(schema.options) ? schema.options.map(String) : [];
  return `${flags} needs a value${why}${words.length > 0 ? `: ${inWords(words)}` : ''}`;
}

/** @throws UsageError if the last option lacks its value */
function parse(command: Command, argv: readonly string[], options: Options) {
  try {
    return command.parseOptions([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError) || error.code !== 'commander.optionMissingArgument') throw error;
    const word = argv.at(-1);
    const last = command.options.find(({ short, long }) => short === word || long === word);
    const option = Object.values<Option>(options).find(({ flags }) => flags === last?.flags);
    throw new UsageError(option ? describeMissingValue(option) : `${last?.flags} needs a value`);
  }
}

/** Headings that a short help leaves out. */
const furtherNotes = ['Environment', 'Exit codes'];

function printNotes({ notes, usual }: CommandSpec, isWhole: boolean): string {
  const print = ([heading, lines]: [string, readonly string[]]) => `\n${heading}:\n  ${lines.join('\n  ')}`;
  const documents = printDocsPage(docsPages.index);
  const all = documents === undefined ? notes : { ...notes, Documents: [documents] };
  const isShown = ([heading]: [string, unknown]) =>
    isWhole || usual === undefined || !furtherNotes.includes(heading);
  return Object.entries(all).filter(isShown).map(print).join('\n');
}

function describeUnknownOption(word: string, flags: readonly string[]): string {
  const [name] = word.split(/[=:\s]/, 1);
  const hint = word.startsWith('--') ? printSuggestion(`${name}`, flags) : '';
  // The value may be a key, also right after the one letter of an option.
  const shown = word.replace(/^(--[^=:\s]*[=:\s]|-[^-]).+/s, '$1…');
  return `unknown option '${shown}'${hint}`;
}

/** Says how many arguments are too many, and shows none of them, since it may be a key after a wrong option. */
function describeExcess(
  { name, example, takesCommand, tasks = [], options }: CommandSpec,
  operands: readonly string[],
  most: number,
): string {
  const excess = operands[most] ?? '';
  // Text editors make a longer dash of two.
  const [option = ''] = /^(?:--[a-z-]*|-[a-z]?|[\u2010-\u2015\u2212]+[a-z-]*)/.exec(excess) ?? [];
  const shown = option === '' ? '' : `, such as ${option}${option === excess ? '' : '…'}`;
  const required = Object.values(options).flatMap(({ flags }) => (flags.startsWith('<') ? [flags] : []));
  const line = [name, ...required, '-- npm test'].join(' ');
  const command = takesCommand ? ` Write a command after --, such as: ${line}.` : '';
  // npm takes an option for its own, and leaves its value.
  const isOfNpm = option !== '' || isNpmScript();
  const npm = isExecutable || !isOfNpm ? '' : ` With npm, write options after --, such as: ${example}.`;
  const advice = printSuggestion(operands[0] ?? '', tasks) || `.${npm}${command}`;
  return `too many arguments: ${operands.length} instead of ${most}${shown}${advice}`;
}

/**
 * Finds the keys in a command line and its environment: values of flags and variables for a key or a header, also mistyped ones,
 * and users and passwords of URLs.
 */
export function findGivenKeys(
  argv: readonly string[] = readOwnCall().argv,
  environment: Environment = readOwnCall().environment,
): Keys {
  const given = argv.flatMap((word, index) => {
    const [, flag = '', value = argv[index + 1] ?? ''] = /^(--?[^=]+|\w+(?==))(?:=(.*))?$/s.exec(word) ?? [];
    const [, user = '', password = ''] = /:\/\/(?:([^:@]*):)?(.*)@/s.exec(word) ?? [];
    const isKey = isKeyName(flag) || /header|^-H/i.test(flag);
    const isNone = /^--(?:(?:tls|client)-key|api-key-command)$/.test(flag);
    return [isKey && !isNone ? value : '', decode(user), decode(password)];
  });
  const { ANIMAL_STORE_API_KEY: key = '', ANIMAL_STORE_ADMIN_TOKEN: token = '' } = environment;
  const words = [key, token, ...given].flatMap((value) => [value, ...value.split(/\s+/)]);
  const keys = words.flatMap((word) => [word, word.slice(word.indexOf(':') + 1)]);
  return new Keys(keys.filter((key) => !/^(?:bearer|basic|[\w-]+:)$/i.test(key)));
}

/** Splits a command line at the first `--` into our options and the command to run. @throws UsageError without a command */
export function splitCommand(argv: readonly string[]) {
  const end = argv.indexOf('--');
  if (end < 0) return { own: argv, words: undefined };
  const words = argv.slice(end + 1);
  if (words.length === 0) throw new UsageError('there is no command after --, such as: -- npm test');
  return { own: argv.slice(0, end), words };
}
