import { type OptionSpec, optionSpecs } from '../option-specs.ts';
import { describeDefault, type OptionName } from '../options.ts';

/** The rows of the README's table of options. */
export function printOptionRows(): string[] {
  return Object.entries<OptionSpec>(optionSpecs).map(([name, { flags, variables, description }]) => {
    const fallback = describeDefault(name as OptionName) ?? '';
    const cells = [
      `\`${flags}\``,
      variables.map((variable) => `\`${variable}\``).join(', '),
      fallback,
      description,
    ];
    return `| ${cells.join(' | ')} |`;
  });
}
