import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareCommand, verifyCommand } from '../../contract-tests/options.ts';
import { verifyOptions } from '../../contract-tests/resolve-verify-options.ts';
import { mockCommand, mockOptions } from '../../mock/options.ts';
import { checkCommand, proxyCommand, startOptions } from '../../proxy/options.ts';
import type { CommandSpec, Option } from './options.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

const commands: readonly CommandSpec[] = [
  mockCommand,
  proxyCommand,
  checkCommand,
  verifyCommand,
  compareCommand,
];
const rows = commands.flatMap(({ name: command, options, together = [] }) =>
  Object.entries<Option>(options).map(([name, row]) => ({ command, options, together, name, row })),
);

test.for(rows)(
  '$command: the row of $name has a short help, and names options that exist',
  ({ options, together, row: { flags, help, group, conflicts = [], requires, isRepeatable } }) => {
    expect(help.length).toBeLessThanOrEqual(60);
    // The help has a heading for each group of options, and none for arguments.
    expect(group !== undefined).toBe(flags.startsWith('-'));
    const named = [...conflicts, ...together, ...(requires === undefined ? [] : [requires])];
    expect(named.filter((other) => !Object.hasOwn(options, other))).toEqual([]);
    if (help.endsWith(', repeatable')) expect(isRepeatable).toBe(true);
  },
);

/** Interfaces of options: their rows, the files that document them, and the heading of their table. */
const interfaces = [
  [mockOptions, ['mock/mock-options.ts'], 'library.md', '## startMock(options)'],
  [
    startOptions,
    ['proxy/checked-proxy-options.ts', 'proxy/relay/relay-config.ts', 'common/tls/trust.ts'],
    'library-checks.md',
    '## startCheckedProxy(options)',
  ],
  [
    verifyOptions,
    ['contract-tests/verify-options.ts', 'contract-tests/client/run-limits.ts'],
    'library-checks.md',
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

test.for(interfaces)(
  '$1: each option has a row, a docstring, and a line in $2',
  ([rows, files, page, heading]) => {
    const members = files.flatMap(readMembers);
    expect(members.map(({ name }) => name).toSorted()).toEqual(Object.keys(rows).toSorted());
    expect(members.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
    const [, section = ''] = read(`docs/reference/${page}`).split(heading);
    const [, table = ''] = /^\| Option \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(section) ?? [];
    const listed = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)]);
    // The mock starts its own proxy with them.
    const internal = ['isInMock', 'hidesUpstream'];
    const documented = members.map(({ name }) => name).filter((name) => !internal.includes(name));
    expect(listed.map(([, name]) => name).toSorted()).toEqual(documented.toSorted());
  },
);
