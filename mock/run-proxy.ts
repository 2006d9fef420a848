import { readFileSync } from 'node:fs';
import { contractFile } from '../common/contract-file.ts';
import { createJudge } from './checked-proxy/create-judge.ts';
import { startCheckedProxy } from './checked-proxy/start-checked-proxy.ts';
import { createViolationCount } from './checked-proxy/violation-count.ts';
import { createBatchedWrite } from './create-batched-write.ts';
import { UsageError } from './options.ts';
import { parseProxyArguments } from './parse-proxy-arguments.ts';
import type { Program } from './program.ts';

/** Starts the checked proxy as the command line says; it prints each violation, and at the end their count. */
export async function runProxy(argv: readonly string[]): Promise<Program> {
  const { ca, ...options } = parseProxyArguments(argv);
  const write = createBatchedWrite(process.stdout);
  const count = createViolationCount(write);
  const proxy = await startCheckedProxy({
    ...options,
    ca: ca === undefined ? undefined : readCertificates(ca),
    judge: await createJudge(contractFile),
    errors: false,
    onExchange: (exchange) => count.add(exchange),
  });
  return {
    announcement: `checked proxy listening on ${proxy.url}\nupstream: ${options.upstream.href}\n`,
    close: async () => {
      await proxy.close();
      write(count.print());
    },
  };
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--ca: ${file} could not be read: ${(error as Error).message}`);
  }
}
