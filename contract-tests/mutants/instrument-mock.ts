import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** A change to one place of the mock's sources. */
export interface Mutant {
  /** What the environment variable `__STRYKER_ACTIVE_MUTANT__` says to switch it on. */
  readonly id: string;
  /** From the root of the checkout on. */
  readonly file: string;
  /** From 1 on. */
  readonly line: number;
  /** `original → replacement`, each on one line and cut; a number follows where a file has the same one again. */
  readonly change: string;
}

const root = join(import.meta.dirname, '../..');

/** How much of a change is shown, in characters a side. */
const LONGEST = 60;

/**
 * Copies the mock into a folder with every mutant of its rooms `api`, `pipeline` and `server` built in, switched off.
 *
 * @param folder an empty folder, outside any `node_modules`.
 */
export async function instrumentMock(folder: string): Promise<readonly Mutant[]> {
  for (const name of ['common', 'fixtures', 'mock', 'package.json', 'openapi.yaml']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Neither the user's file of animals nor the log is seen by a client.
  const exclude = [
    '**/*.test.ts',
    '**/data-file.ts',
    '**/request-log.ts',
    '**/{create-admin,routes,apply-fault}.ts',
    '**/{create-docs,docs-files}.ts',
  ];
  const names = globSync(
    ['mock/{api,pipeline,server}/**/*.ts', 'common/**/{api-error,find-operation,refuse-key,reply}.ts'],
    {
      cwd: root,
      exclude,
    },
  ).toSorted();
  const sources = new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }));
  const options = { plugins: null, ignorers: [], excludedMutations: [] };
  const logger = new Proxy({} as ConstructorParameters<typeof Instrumenter>[0], { get: () => () => false });
  const result = await new Instrumenter(logger).instrument(files, options);
  for (const { name, content } of result.files) writeFileSync(join(folder, name), content);
  const seen = new Map<string, number>();
  return result.mutants.map(({ id, fileName, location, replacement }) => {
    const original = cutOut(sources.get(fileName) ?? '', location);
    const change = `${shorten(original)} → ${shorten(replacement)}`;
    const count = (seen.get(`${fileName} ${change}`) ?? 0) + 1;
    seen.set(`${fileName} ${change}`, count);
    const numbered = count === 1 ? change : `${change} (${count})`;
    return { id, file: fileName, line: location.start.line + 1, change: numbered };
  });
}

type Location = Record<'start' | 'end', { readonly line: number; readonly column: number }>;

function cutOut(text: string, { start, end }: Location): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.pop()?.slice(0, end.column) ?? '';
  return [...lines, last].join('\n').slice(start.column);
}

function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
