import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import type { Answer } from '../deployments/deployment.ts';
import { runCommand, startForTest } from '../testing/run-suite.ts';

interface Entry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly postData?: { readonly text: string };
  };
  readonly response: { readonly status: number };
}

/** Tests one clause. @returns the exit code of the run, and what a recording has from the first unspecified request on */
async function record(url: string, ...options: string[]) {
  const file = join(createFolder(), 'run.har');
  const { exitCode } = await runCommand([
    url,
    '--only',
    'list-pets/limit-invalid',
    '--har',
    file,
    ...options,
  ]);
  const { entries }: { entries: readonly Entry[] } = JSON.parse(readFileSync(file, 'utf8')).log;
  const lines = entries.map(
    ({ request, response }) => `${request.method} ${request.url.slice(url.length)} ${response.status}`,
  );
  return { exitCode, entries, lines: lines.slice(lines.findIndex((line) => line.includes('unknown-path'))) };
}

const reads = [
  'GET /contract-test-unknown-path 404',
  'GET /contract-test-unknown-path 401',
  'GET /pets/ 404',
  'HEAD /pets 200',
  'OPTIONS /pets 405',
  ...['abc', '2.5', '02', ''].map((limit) => `GET /pets?limit=${limit} 400`),
  'GET /pets?limit=1&limit=2 400',
  'GET /pets?limit=100&status=sold&status=pending 400',
  'GET /pets?limit=100 200',
];

test('a recording shows what no table asks for, with POST only if the run may write', async () => {
  const url = await startForTest({ options: { behaviour: { etag: 'all' } } });
  const reading = await record(url);
  expect(reading.lines).toEqual([...reads, 'GET /pets?contract-test=1 304']);
  const writing = await record(url, '--allow-writes', '--category-id', '7');
  expect(writing.lines.slice(reads.length + 1)).toEqual(Array.from({ length: 4 }, () => 'POST /pets 201'));
  const sent = writing.entries.slice(-4).map(({ request }) => request.postData?.text ?? '');
  expect(sent[0]).toMatch(/^\{"name":"contract-test [^"]*","categoryId":7,"nickname":"Rexi"\}$/);
  expect(sent[1]).toMatch(/^\{"name":"([^"]*)","categoryId":7,"name":"\1 again"\}$/);
  expect(sent.slice(2).map((text) => JSON.parse(text).name.length)).toEqual([101, 256]);
});

test('a run without --har sends no such request', async () => {
  const paths: string[] = [];
  const createAnswer = (): Answer => async (request, asMock) => {
    paths.push(request.path);
    return asMock(request);
  };
  await runCommand([await startForTest({ createAnswer }), '--only', 'list-pets/limit-invalid']);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => path.includes('unknown-path'))).toEqual([]);
});

test('whatever a deployment answers to them, the run conforms', async () => {
  const createAnswer = (): Answer => async (request, asMock) => {
    if (request.method === 'HEAD' || request.path === '/pets/' || request.path.includes('unknown-path'))
      return 'drop';
    if (request.method === 'OPTIONS')
      return { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' };
    return request.path.includes('limit=1&') ? { status: 500, headers: {}, body: '' } : asMock(request);
  };
  const { exitCode, lines } = await record(await startForTest({ createAnswer }));
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toBe(reads.at(-1));
});
