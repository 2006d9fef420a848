import { unescape as decode } from 'node:querystring';
import { Command, CommanderError, Option } from 'commander';
import * as v from 'valibot';
import type { GivenMembers } from '../schemas.ts';
import { createHideKeys, isKeyName } from '../text/hide-keys.ts';
import { printSuggestion } from '../text/suggest.ts';
import { type CommandSpec, describeDefault, expectOptions, longFlag, variablesOf } from './options.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the command line and, for options that are not on it, the environment. An empty variable counts as not set.
 * @throws UsageError for a wrong option; CommanderError with exitCode 0 after --help and --version.
 */
export function readOptions<Schemas extends v.ObjectEntries>(
  command: CommandSpec<Schemas>,
  argv: readonly string[],
  { environment = process.env, version }: { environment?: Environment; version?: string } = {},
): GivenMembers<Schemas> {
  const written = parseCommandLine(command, argv, version);
  const { together = [] } = command;
  const isOneWritten = together.some((name) => written.has(name));
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const [name, row] of Object.entries(command.options)) {
    const schema = command.schemas[name] as v.GenericSchema;
    const isDecided = written.has(name) || (isOneWritten && together.includes(name));
    const variable = isDecided ? undefined : variablesOf(command, name).find((one) => environment[one]);
    const texts = variable ? readVariable(schema, row[0], `${environment[variable]}`) : written.get(name);
    sources[name] = variable ?? longFlag(command, name);
    if (texts !== undefined) values[name] = toValue(schema, texts);
  }
  return expectOptions(command, values, (name) => sources[name] ?? name);
}

function readVariable(schema: v.GenericSchema, flags: string, text: string): string[] {
  const { type } = unwrap(schema);
  if (type === 'array') return text.trim().split(/\s+/);
  if (type !== 'boolean' || !/^(?:true|1|false|0)$/.test(text)) return [text];
  return [String(/^[t1]/.test(text) !== flags.startsWith('--no-'))];
}

function unwrap(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;
}

/** Returns the value of an option, which the schema may refuse. If it is repeated, the last value counts. */
function toValue(schema: v.GenericSchema, texts: readonly string[]): unknown {
  const plain = unwrap(schema);
  if ('item' in plain) return texts.map((text) => toValue(plain.item as v.GenericSchema, [text]));
  const text = texts.at(-1) ?? '';
  if (plain.type === 'boolean') return /^(?:true|false)$/.test(text) ? text === 'true' : text;
  const isNumber = /^(?:\d{1,15}|[01]?\.\d{1,15})$/.test(text) && !v.is(plain, text);
  return isNumber ? Number(text) : text;
}

function parseCommandLine(spec: CommandSpec, argv: readonly string[], version?: string) {
  const command = new Command(spec.name)
    .description(spec.description)
    .addHelpText('after', printNotes(spec))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError(false)
    .allowExcessArguments();
  const written = new Map<string, string[]>();
  const isArgument = (name: string) => !spec.options[name]?.[0].startsWith('-');
  for (const name of Object.keys(spec.options).filter(isArgument)) addOption(command, spec, name, written);
  for (const [heading, names] of Object.entries(spec.groups)) {
    command.optionsGroup(`${heading}:`);
    for (const name of names) addOption(command, spec, name, written);
  }
  command.optionsGroup('Help:');
  if (version !== undefined) command.version(version, '-v, --version', 'print the version');
  command.helpOption('-h, --help', 'print this help');
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    const flags = Object.keys(spec.options).map((name) => longFlag(spec, name));
    throw toUsageError(error, flags);
  }
  if (command.args.length > command.registeredArguments.length)
    throw new UsageError(describeExcess(spec, argv, findExcess(command, argv)));
  return written;
}

function printNotes({ notes }: CommandSpec): string {
  const print = ([heading, lines]: [string, readonly string[]]) => `\n${heading}:\n  ${lines.join('\n  ')}`;
  return Object.entries(notes).map(print).join('\n');
}

function addOption(command: Command, spec: CommandSpec, name: string, written: Map<string, string[]>): void {
  const [flags, help] = spec.options[name] ?? ['', ''];
  if (!flags.startsWith('-')) {
    command.argument(flags, help, (text) => void written.set(name, [text]));
    return;
  }
  const usual = describeDefault(spec, name);
  const option = new Option(flags, usual === '' ? help : `${help} (default: ${usual})`);
  command.addOption(option).on(`option:${option.name()}`, (text = String(!option.negate)) => {
    written.set(name, [...(written.get(name) ?? []), text]);
  });
}

/** Returns the index of the first argument that is too many: the words up to it have more arguments than the command. */
function findExcess(command: Command, argv: readonly string[]): number {
  const most = command.registeredArguments.length;
  return argv.findIndex((_, index) => {
    try {
      return command.parseOptions(argv.slice(0, index + 1)).operands.length > most;
    } catch {
      // The last word is an option whose value comes next.
      return false;
    }
  });
}

/** Names an argument by its place, since it may be a key after a wrong option. */
function describeExcess(
  { name, example, notes }: CommandSpec,
  argv: readonly string[],
  index: number,
): string {
  // The user has also written the second word of a name such as "animal-store-proxy check".
  const place = index + name.split(' ').length;
  // Text editors make a longer dash of two.
  const [option = ''] = /^(?:--[a-z-]*|-[a-z]?|[\u2010-\u2015\u2212]+[a-z-]*)/.exec(argv[index] ?? '') ?? [];
  const rest = option === argv[index] ? '' : '…';
  const shown = option === '' ? '' : `, ${option}${rest}`;
  const hasCommand = notes.Commands?.some((line) => line.includes('-- <command>'));
  const command = hasCommand ? ` Write a command after --, such as: ${name} -- npm test.` : '';
  const hint = `With npm, write options after --, such as: ${example}.${command}`;
  return `unexpected argument: the ${toOrdinal(place)} argument${shown}. ${hint}`;
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function toOrdinal(place: number): string {
  return `${place}${endings[ordinals.select(place)] ?? 'th'}`;
}

function toUsageError(error: unknown, flags: readonly string[]): unknown {
  if (!(error instanceof CommanderError) || error.exitCode === 0) return error;
  const message = error.message.replace(/^error: /, '');
  const [, name, unknown = ''] = /^unknown option '(([^=:\s]*).*)'$/s.exec(message) ?? [];
  const [, option, argument] =
    /^(?:option '(.*)' argument missing|missing required argument '(.*)')$/.exec(message) ?? [];
  if (option !== undefined) return new UsageError(`${option} needs a value`);
  if (name === undefined) return new UsageError(argument ? `the ${argument} is missing` : message);
  const hint = name.startsWith('--') ? printSuggestion(unknown, flags) : '';
  // The value may be a key, also right after the one letter of an option.
  const shown = name.replace(/^(--[^=:\s]*[=:\s]|-[^-]).+/s, '$1…');
  return new UsageError(`unknown option '${shown}'${hint}`);
}

/**
 * Creates a function that redacts the keys of a command line and its environment: values of flags and variables for a key or
 * a header, also mistyped ones, and users and passwords of URLs.
 */
export function createHideGiven(
  argv: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): (text: string) => string {
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
  return createHideKeys(keys.filter((key) => !/^(?:bearer|basic|[\w-]+:)$/i.test(key)));
}

/** Splits a command line at the first `--` into our options and the command to run. @throws UsageError without a command */
export function splitCommand(argv: readonly string[]) {
  const end = argv.indexOf('--');
  if (end < 0) return { own: argv, words: undefined };
  const words = argv.slice(end + 1);
  if (words.length === 0) throw new UsageError('there is no command after --, such as: -- npm test');
  return { own: argv.slice(0, end), words };
}

/** Returns the environment of this process with these variables; undefined removes one. */
export function extendEnvironment(variables: Environment): Environment {
  return { ...process.env, ...variables };
}

/** Returns whether npx, `npm start` or `npm run proxy` started the shell that started this process. */
export function isStartedByNpm(): boolean {
  return /^(?:start|proxy|npx)$/.test(process.env.npm_lifecycle_event ?? '');
}
