import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeOnce, exchanges } from '../measure.ts';

/** A mock server, started as its manual says, without its log. */
export interface Peer {
  readonly name: string;
  /** The path of its base URL. */
  readonly basePath: '/v1' | '';
  /** What it is started with. @default Node */
  readonly program?: 'java';
  /** How long it is asked before it is measured, in milliseconds. @default 3,000 */
  readonly warmUp?: number;
  /** Writes what it serves into a folder and returns its arguments, from the root of the checkout on. */
  prepare(port: number, folder: string): readonly string[];
}

const root = join(import.meta.dirname, '../..');
const installed = (path: string) => join(import.meta.dirname, 'node_modules', path);

/** Reads from the mock what the others are to serve: the list of 20 and the animal 7. */
export async function readAnimals(mockUrl: string) {
  const list = await exchangeOnce(mockUrl, exchanges.list);
  return JSON.parse(list.body) as readonly { readonly id: number }[];
}

/** The mock servers that are compared, ours first; each serves the same animals. */
export function createPeers(animals: readonly object[]): readonly Peer[] {
  return [
    {
      name: 'animal-store-mock',
      basePath: '/v1',
      prepare: (port) => [
        join(root, 'mock/bin.js'),
        '--port',
        `${port}`,
        '--log',
        'silent',
        '--no-checked-proxy',
      ],
    },
    {
      name: 'WireMock 3.13',
      basePath: '/v1',
      program: 'java',
      // It doubles its rate again and again until then.
      warmUp: 30_000,
      prepare: (port, folder) => {
        const headers = { 'Content-Type': 'application/json' };
        const stub = (name: string, method: string, urlPath: string, status: number, jsonBody: unknown) =>
          write(folder, `mappings/${name}.json`, {
            request: { method, urlPath },
            response: { status, headers, jsonBody },
          });
        stub('list', 'GET', '/v1/pets', 200, animals);
        stub('one', 'GET', '/v1/pets/7', 200, animals[6]);
        stub('add', 'POST', '/v1/pets', 201, animals[6]);
        const jar = installed('wiremock/build/wiremock-standalone-3.13.2.jar');
        const quiet = ['--no-request-journal', '--disable-banner', '--use-chunked-encoding=never'];
        return [
          '-jar',
          jar,
          '--port',
          `${port}`,
          '--bind-address',
          '127.0.0.1',
          '--root-dir',
          folder,
          ...quiet,
        ];
      },
    },
    {
      name: 'json-server 0.17',
      basePath: '',
      prepare: (port, folder) => {
        const file = write(folder, 'db.json', { pets: animals });
        const command = installed('json-server/lib/cli/bin.js');
        return [command, '--quiet', '--host', '127.0.0.1', '--port', `${port}`, file];
      },
    },
    {
      name: 'Prism mock 5.16',
      basePath: '',
      prepare: (port) => {
        const command = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
        return [command, 'mock', join(root, 'openapi.yaml'), '--port', `${port}`, '--verboseLevel', 'silent'];
      },
    },
    {
      name: 'Mockoon CLI 9.9',
      basePath: '/v1',
      prepare: (port, folder) => {
        const file = write(folder, 'environment.json', describeEnvironment(animals));
        const command = installed('@mockoon/cli/bin/run.js');
        return [command, 'start', '--data', file, '--port', `${port}`, '--disable-log-to-file'];
      },
    },
  ];
}

function write(folder: string, name: string, content: unknown): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** An environment of Mockoon with one route that lists, gets and adds. */
function describeEnvironment(animals: readonly object[]) {
  const response = {
    uuid: 'response',
    statusCode: 200,
    bodyType: 'DATABUCKET',
    databucketID: 'pets',
    crudKey: 'id',
  };
  const defaults = {
    body: '',
    headers: [],
    rules: [],
    rulesOperator: 'OR',
    callbacks: [],
    latency: 0,
    default: true,
  };
  const route = { uuid: 'route', type: 'crud', method: '', endpoint: 'pets', responseMode: null };
  return {
    uuid: 'environment',
    name: 'pets',
    lastMigration: 33,
    hostname: '127.0.0.1',
    endpointPrefix: 'v1',
    folders: [],
    rootChildren: [{ type: 'route', uuid: 'route' }],
    routes: [{ ...route, responses: [{ ...defaults, ...response }] }],
    data: [{ uuid: 'data', id: 'pets', name: 'pets', value: JSON.stringify(animals) }],
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    cors: true,
  };
}
