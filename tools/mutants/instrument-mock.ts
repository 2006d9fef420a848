import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const root = join(import.meta.dirname, '../..');

/**
 * Copies the mock into an empty folder outside any `node_modules`, with every mutant of its API, pipeline and server
 * built in. `__STRYKER_ACTIVE_MUTANT__` switches one on by its id.
 *
 * @returns the mutants. Their keys are `file original → replacement`, with a number if a file has the same change again.
 */
export async function instrumentMock(folder: string) {
  for (const name of ['common', 'fixtures', 'mock', 'package.json', 'openapi.yaml']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Neither the user's file of animals nor the log is seen by a client.
  const unseen =
    '**/{*.test,data-file,request-log,create-control-api,control-routes,apply-fault,create-docs,docs-files}.ts';
  const inCommon = 'common/**/{api-error,errors,refuse-key,reply}.ts';
  const seen = ['mock/{api,pipeline,server}/**/*.ts', inCommon];
  const names = globSync(seen, { cwd: root, exclude: [unseen] }).toSorted();
  const sources = new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }));
  const options = { plugins: null, ignorers: [], excludedMutations: [] };
  const logger = new Proxy({} as ConstructorParameters<typeof Instrumenter>[0], { get: () => () => false });
  const result = await new Instrumenter(logger).instrument(files, options);
  for (const { name, content } of result.files) writeFileSync(join(folder, name), content);
  const counts = new Map<string, number>();
  return result.mutants.map(({ id, fileName, location: { start, end }, replacement }) => {
    const lines = (sources.get(fileName) ?? '').split('\n').slice(start.line, end.line + 1);
    lines.push(lines.pop()?.slice(0, end.column) ?? '');
    const original = lines.join('\n').slice(start.column);
    const key = `${fileName} ${shorten(original)} → ${shorten(replacement)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { id, key: count === 1 ? key : `${key} (${count})`, line: start.line + 1 };
  });
}

function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
