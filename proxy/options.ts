import * as v from 'valibot';
import { logFormats } from '../common/cli/log-format.ts';
import type { CommandSpec } from '../common/cli/options.ts';
import * as schemas from '../common/schemas.ts';
import { printSuggestion } from '../common/text/suggest.ts';
import { points } from './findings/coverage.ts';
import { failOnLevels } from './findings/fail-on.ts';

/** Points of the contract, separated by commas. */
const pointList = v.pipe(
  v.array(v.string()),
  v.transform((texts) => texts.flatMap((text) => text.split(',').map((point) => point.trim()))),
  v.array(v.picklist(points, describeWrongPoint)),
);

function describeWrongPoint({ input }: v.PicklistIssue): string {
  const hint = printSuggestion(String(input), points);
  return `must be points such as listPets,createPet:400, not ${JSON.stringify(input)}${hint}`;
}

const sharedSchemas = {
  require: v.optional(pointList),
  failOn: v.optional(schemas.oneOf(failOnLevels), 'never'),
  report: v.optional(schemas.file),
  apiKeys: v.optional(v.array(v.string('must be a string'), 'must be an array of strings'), []),
  log: v.optional(schemas.logFormat, 'pretty'),
};

const sharedOptions = {
  failOn: ['--fail-on <level>', 'exit with 1 on this level, see below'],
  require: ['--require <points>', 'exit with 1 if traffic does not reach these, repeatable'],
  report: ['--report <file>', 'write a report: JUnit for .xml, otherwise JSON'],
  log: ['--log <format>', `log violations: ${schemas.inWords(logFormats)}`],
  apiKeys: ['--api-key <key>', 'redact this key in all output, repeatable'],
} as const;

const exitCodes = ['0  passed', '1  failed (--fail-on, --require)', '2  no verdict, or wrong option'];

const sharedNotes = {
  Points: ['listPets, createPet:400, listPets?status=sold, createPet.status'],
  Levels: [
    'error    errors (request-error, response-error: in one direction)',
    'warning  errors and warnings (request-warning, response-warning)',
    'never    the exit code does not depend on violations',
  ],
  Environment: ['ANIMAL_STORE_API_KEY  the same as --api-key'],
};

const toUrl = (url: string) => new URL(url);
const baseUrl = v.pipe(schemas.baseUrl, v.transform(toUrl));

/** Time that the upstream may be silent, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;

const proxySchemas = {
  ...sharedSchemas,
  upstream: baseUrl,
  port: v.optional(schemas.port, 4011),
  host: v.optional(schemas.host, '127.0.0.1'),
  allowHosts: v.optional(schemas.hostNames),
  ...v.entriesFromList(['allPaths', 'block', 'insecure'], v.optional(schemas.flag, false)),
  console: v.optional(schemas.flag, true),
  timeout: v.optional(schemas.integer(1, 3_600_000, ', in milliseconds'), DEFAULT_TIMEOUT),
  ...v.entriesFromList(['tlsCert', 'tlsKey', 'ca', 'clientCert', 'clientKey'], v.optional(schemas.file)),
  clientPassphrase: v.optional(v.string()),
};

export const startSchemas = {
  ...proxySchemas,
  port: v.optional(schemas.port, 0),
  log: v.optional(schemas.logFormat, 'silent'),
  ...v.entriesFromList(['ca', 'clientCert', 'clientKey'], v.optional(v.string('must be in PEM'))),
  tls: v.optional(v.object({ cert: v.string(), key: v.string() })),
  curlOptions: v.optional(v.array(v.string())),
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
  notes: {
    Commands: [
      'animal-store-proxy <upstream>               checks traffic until Ctrl-C',
      'animal-store-proxy <upstream> -- <command>  checks while the command runs',
      'animal-store-proxy check <file>             checks a HAR file',
    ],
    ...sharedNotes,
    Examples: [
      'animal-store-proxy https://staging.example/v1 --port 4020',
      'animal-store-proxy https://staging.example/v1 --fail-on error -- npm run e2e',
      'animal-store-proxy check traffic.har --fail-on error',
    ],
    'Exit codes': [...exitCodes, 'With a command: its code, if that is not 0'],
  },
  variables: { apiKeys: 'ANIMAL_STORE_API_KEY', clientPassphrase: 'ANIMAL_STORE_CLIENT_PASSPHRASE' },
  schemas: proxySchemas,
  options: {
    upstream: ['<upstream>', 'base URL of the deployment'],
    port: ['-p, --port <n>', 'listen on this port, 0 for a free port'],
    host: ['--host <name>', 'listen on this name or address'],
    allowHosts: ['--allow-host <name>', 'allow this name in the Host header, repeatable'],
    allPaths: ['--all-paths', 'forward paths outside the path of the upstream too'],
    timeout: ['--timeout <ms>', 'wait this long for the upstream'],
    block: ['--block', 'refuse exchanges that break the contract'],
    ...sharedOptions,
    tlsCert: ['--tls-cert <file>', 'serve HTTPS with the certificate in this PEM file'],
    tlsKey: ['--tls-key <file>', 'use this key of the --tls-cert, in PEM'],
    ca: ['--ca <file>', 'trust the certificates in this PEM file too'],
    clientCert: ['--client-cert <file>', 'send the client certificate in this PEM file'],
    clientKey: ['--client-key <file>', 'use this key of the client certificate, in PEM'],
    clientPassphrase: ['--client-passphrase <text>', 'decrypt the --client-key'],
    insecure: ['--insecure', 'trust any certificate'],
    console: ['--no-console', 'disable the console at /__console/'],
  },
  groups: {
    Connection: ['port', 'host', 'allowHosts', 'allPaths', 'timeout'],
    Checks: ['block', 'failOn', 'require', 'report'],
    TLS: ['tlsCert', 'tlsKey', 'ca', 'clientCert', 'clientKey', 'clientPassphrase', 'insecure'],
    Output: ['log', 'apiKeys', 'console'],
  },
};

const checkSchemas = { ...sharedSchemas, file: schemas.file, baseUrl: v.optional(baseUrl) };

export const checkCommand: CommandSpec<typeof checkSchemas> = {
  name: 'animal-store-proxy check',
  description: 'Checks the exchanges of a HAR file against openapi.yaml, without connections.',
  example: 'npm run proxy -- check traffic.har --fail-on error',
  notes: {
    ...sharedNotes,
    Examples: [
      'animal-store-proxy check traffic.har --fail-on error',
      'animal-store-proxy check traffic.har --base-url https://staging.example/v1',
      'curl https://ci.example/traffic.har | animal-store-proxy check -',
    ],
    'Exit codes': exitCodes,
  },
  variables: { apiKeys: 'ANIMAL_STORE_API_KEY' },
  schemas: checkSchemas,
  options: {
    file: ['<file>', 'HAR file, - for stdin'],
    baseUrl: ['--base-url <url>', 'check requests to this deployment only'],
    ...sharedOptions,
  },
  groups: { Checks: ['baseUrl', 'failOn', 'require', 'report'], Output: ['log', 'apiKeys'] },
};

export type ProxyArguments = schemas.Members<typeof proxySchemas>;
export type CheckArguments = schemas.Members<typeof checkSchemas>;
