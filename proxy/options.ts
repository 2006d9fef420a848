import * as v from 'valibot';
import { logFormats } from '../common/cli/log-format.ts';
import type { CommandSpec } from '../common/cli/options.ts';
import * as schemas from '../common/schemas.ts';
import { failOnLevels } from './findings/fail-on.ts';

const sharedSchemas = {
  failOn: v.optional(schemas.oneOf(failOnLevels), 'never'),
  report: v.optional(schemas.file),
  apiKeys: v.optional(v.array(v.string('must be a string'), 'must be an array of strings'), []),
  log: v.optional(schemas.logFormat, 'pretty'),
};

const sharedOptions = {
  failOn: ['--fail-on <level>', `fail the run on: ${schemas.inWords(failOnLevels)}`],
  report: ['--report <file>', 'write a report at the end: JUnit for .xml, otherwise JSON'],
  apiKeys: ['--api-key <key>', 'redact this key in all output; repeatable'],
  log: ['--log <format>', `log violations: ${schemas.inWords(logFormats)}`],
} as const;

const baseUrl = v.pipe(
  schemas.baseUrl,
  v.transform((url) => new URL(url)),
);

/** Time that the upstream may be silent, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;

const proxySchemas = {
  ...sharedSchemas,
  upstream: baseUrl,
  port: v.optional(schemas.port, 4011),
  host: v.optional(schemas.host, '127.0.0.1'),
  allowHosts: v.optional(schemas.hostNames),
  allPaths: v.optional(schemas.flag, false),
  errors: v.optional(schemas.flag, false),
  console: v.optional(schemas.flag, true),
  timeout: v.optional(schemas.integer(1, 3_600_000, ', in milliseconds'), DEFAULT_TIMEOUT),
  ca: v.optional(schemas.file),
  insecure: v.optional(schemas.flag, false),
};

export const startSchemas = {
  ...proxySchemas,
  port: v.optional(schemas.port, 0),
  log: v.optional(schemas.logFormat, 'silent'),
  ca: v.optional(v.string('must be certificates in PEM')),
  caFile: v.optional(schemas.file),
  isBesideMock: v.optional(schemas.flag, false),
  isColoured: v.optional(schemas.flag),
  write: v.optional(v.function(schemas.mustBe('a function'))),
  onViolation: v.optional(v.function(schemas.mustBe('a function'))),
};

export const startDefaults = v.getDefaults(v.object(startSchemas));

export const proxyCommand: CommandSpec<typeof proxySchemas> = {
  name: 'animal-store-proxy',
  description: 'A proxy that forwards traffic unchanged and checks each exchange against openapi.yaml.',
  example: 'npm run proxy -- https://staging.example/v1 --port 4020',
  calls: [
    ['animal-store-proxy <upstream>', 'checks traffic until Ctrl-C'],
    [
      'animal-store-proxy <upstream> -- <command>',
      'checks while the command runs, with its base URL in ANIMAL_STORE_URL',
    ],
    ['animal-store-proxy check <file>', 'checks a HAR file; see check --help'],
  ],
  examples: [
    'animal-store-proxy https://staging.example/v1 --port 4020',
    'animal-store-proxy https://staging.example/v1 --fail-on error --report violations.xml -- npm run e2e',
    'animal-store-proxy check traffic.har --fail-on error',
  ],
  variables: { apiKeys: 'ANIMAL_STORE_API_KEY' },
  schemas: proxySchemas,
  options: {
    upstream: ['<upstream>', 'base URL of the deployment'],
    port: ['-p, --port <number>', 'listen on this port; 0 picks a free one'],
    host: ['--host <name>', 'listen on this host name or address'],
    allowHosts: ['--allow-host <name>', 'allow requests for this host name; repeatable'],
    allPaths: ['--all-paths', 'forward all paths, not only those under the upstream'],
    ...sharedOptions,
    errors: ['--errors', 'refuse exchanges that break the contract'],
    console: ['--no-console', 'disable the console at `/__console/`'],
    timeout: ['--timeout <ms>', 'wait this long for the upstream'],
    ca: ['--ca <file>', 'trust these certificates too, in PEM'],
    insecure: ['--insecure', 'trust any certificate'],
  },
};

const checkSchemas = { ...sharedSchemas, file: schemas.file, baseUrl: v.optional(baseUrl) };

export const checkCommand: CommandSpec<typeof checkSchemas> = {
  name: 'animal-store-proxy check',
  description: 'Checks the exchanges of a HAR file against openapi.yaml, without connections.',
  example: 'npm run proxy -- check traffic.har --fail-on error',
  examples: [
    'animal-store-proxy check traffic.har --fail-on error',
    'animal-store-proxy check traffic.har --base-url https://staging.example/v1 --report violations.json',
    'curl https://ci.example/traffic.har | animal-store-proxy check -',
  ],
  variables: { apiKeys: 'ANIMAL_STORE_API_KEY' },
  schemas: checkSchemas,
  options: {
    file: ['<file>', 'HAR file of a browser, Playwright or a proxy; - is stdin'],
    baseUrl: ['--base-url <url>', 'check this deployment, instead of /v1 of any host'],
    ...sharedOptions,
  },
};

export type ProxyArguments = schemas.Members<typeof proxySchemas>;
