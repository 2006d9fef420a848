import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyCommand } from '../../contract-tests/options.ts';
import { verifyOptions } from '../../contract-tests/resolve-verify-options.ts';
import { compareCommand, learnCommand } from '../../mock/learn/run-learn.ts';
import { mockCommand, mockOptions } from '../../mock/options.ts';
import { checkCommand, proxyCommand, startOptions } from '../../proxy/options.ts';
import type { CommandSpec, Member, Option } from './options.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

const commands: readonly CommandSpec[] = [
  mockCommand,
  proxyCommand,
  checkCommand,
  verifyCommand,
  learnCommand,
  compareCommand,
];
const rows = commands.flatMap(({ name: command, options, together = [] }) =>
  Object.entries<Option>(options).map(([name, row]) => ({ command, options, together, name, row })),
);

test.for(rows)(
  '$command: the row of $name has a short help, and names options that exist',
  ({ options, together, row: { flags, help, group, conflicts = [], isRepeatable } }) => {
    expect(help.length).toBeLessThanOrEqual(60);
    // The help has a heading for each group of options, and none for arguments.
    expect(group !== undefined).toBe(flags.startsWith('-'));
    const named = [...conflicts, ...together];
    expect(named.filter((other) => !Object.hasOwn(options, other))).toEqual([]);
    if (help.endsWith(', repeatable')) expect(isRepeatable).toBe(true);
  },
);

/** Interfaces of options: their rows, the command with the same options, the files that document them, and the heading of their table. */
const interfaces = [
  [mockOptions, mockCommand, ['mock/mock-options.ts'], '## startMock(options)'],
  [
    startOptions,
    proxyCommand,
    ['proxy/checked-proxy-options.ts', 'proxy/relay/relay-config.ts', 'common/tls/trust.ts'],
    '## startCheckedProxy(options)',
  ],
  [
    verifyOptions,
    verifyCommand,
    ['contract-tests/verify-options.ts', 'contract-tests/client/run-limits.ts'],
    '## verifyDeployment(options)',
  ],
] as const;

/** Reads the optional and required members of the exported interface of options of a file, each with its docstring. */
function readMembers(file: string): { readonly name: string; readonly doc: string }[] {
  const [, body = ''] =
    /^export interface (?:\w+Options|RunLimits|Trust)\b[^{]*\{\n(.*?)^\}/ms.exec(read(file)) ?? [];
  const members = body.matchAll(/((?:^ {2}\/\*\*(?:(?!\*\/).)*\*\/\n)?)^ {2}readonly (\w+)\??:/gms);
  return [...members].map(([, doc = '', name = '']) => ({ name, doc }));
}

/** Answers whether an option of a function follows from the one of the command by the rule that docs/reference/library.md says. */
function isAsInCommand(name: string, row: Member, { options }: CommandSpec): boolean {
  const ofCommand = options[name];
  if (ofCommand === undefined) return false;
  const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const one = ofCommand.isRepeatable ? kebab.replace(/s$/, '') : kebab;
  const [flag = ''] = /--[\w-]+/.exec(ofCommand.flags) ?? [];
  const { schema, default: usual } = ofCommand;
  const isSame = schema === row.schema && JSON.stringify(usual) === JSON.stringify(row.default);
  return isSame && [`--${kebab}`, `--${one}`, `--no-${kebab}`].includes(flag);
}

test.for(interfaces)(
  '$2: each option has a row, a docstring, and a line in $3 unless it is as in the command',
  ([rows, command, files, heading]) => {
    const members = files.flatMap(readMembers);
    expect(members.map(({ name }) => name).toSorted()).toEqual(Object.keys(rows).toSorted());
    expect(members.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
    const [, section = ''] = read('docs/reference/library.md').split(heading);
    const [, table = ''] = /^\| Option \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(section) ?? [];
    const listed = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)]);
    const names = listed.map(([, name = '']) => name);
    const all = Object.entries<Member>(rows);
    const different = all.filter(([name, row]) => !isAsInCommand(name, row, command));
    expect(names).toEqual(expect.arrayContaining(different.map(([name]) => name)));
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(names));
  },
);
