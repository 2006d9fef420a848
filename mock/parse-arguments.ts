import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { UsageError } from '../common/usage-error.ts';
import { type OptionSpec, optionSpecs } from './option-specs.ts';
import { type ArgumentValues, describeDefault, type OptionName } from './options.ts';

const { version } = createRequire(import.meta.url)('animal-store-mock/package.json');

/**
 * Reads the command line; --help and --version are answered on stdout.
 *
 * @throws CommanderError for what it cannot make sense of and, with exitCode 0, after --help and --version.
 * @throws UsageError for an argument that belongs to no option.
 */
export function parseArguments(argv: readonly string[]): ArgumentValues {
  const command = new Command('animal-store-mock')
    .description('An offline stand-in for the Animal Store Service.')
    .helpOption('--help', 'print this help')
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .allowExcessArguments();
  const options = Object.entries<OptionSpec>(optionSpecs).map(([name, spec]) => {
    const option = createOption(name as OptionName, spec);
    command.addOption(option);
    return [name, option.attributeName()] as const;
  });
  const [excess] = command.parse(argv, { from: 'user' }).args;
  if (excess !== undefined) {
    // It may be the second half of a key with a space in it.
    const what = command.getOptionValue('apiKey') === undefined ? ` ${JSON.stringify(excess)}` : '';
    const hint = 'npm passes options on only after --, as in: npm start -- --port 4020';
    throw new UsageError(`there is an argument${what} that belongs to no option (${hint})`);
  }
  const given = options.filter(([, attribute]) => command.getOptionValueSource(attribute) === 'cli');
  return Object.fromEntries(given.map(([name, attribute]) => [name, command.getOptionValue(attribute)]));
}

function createOption(name: OptionName, { flags, variables, description }: OptionSpec): Option {
  const fallback = describeDefault(name);
  const notes = [`env: ${variables.join(', ')}`, ...(fallback === undefined ? [] : [`default: ${fallback}`])];
  const option = new Option(flags, `${description} (${notes.join('; ')})`);
  return name === 'apiKeys' ? option.argParser((key, keys: string[] = []) => [...keys, key]) : option;
}
