import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Runs a program in the root of the checkout. @returns its exit code, and what it prints, without colours */
export async function runToEnd(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const cwd = join(import.meta.dirname, '../..');
  const child = spawn(program, args, { cwd, env: environment });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
  const [exitCode] = await once(child, 'close');
  return { exitCode, printed: stripVTControlCharacters(printed) };
}
