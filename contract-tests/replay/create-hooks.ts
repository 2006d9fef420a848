import { loadContract, type Operation } from '../../common/contract.ts';
import type { SuiteRequest } from '../core/exchange.ts';
import type { DreddJob } from './transaction.ts';

/** A transaction as Dredd hands it to hooks, which change it. */
interface DreddTransaction {
  /** Its title. */
  readonly id: string;
  /** The name of a resource is its path in openapi.yaml. */
  readonly origin: { readonly resourceName: string };
  fullPath: string;
  readonly request: { readonly method: string; uri: string; headers: Record<string, string>; body: string };
  readonly expected: {
    statusCode: string;
    headers: Record<string, string>;
    body?: string;
    bodySchema?: object;
  };
  readonly real?: {
    readonly statusCode: number | string;
    readonly headers: Record<string, string>;
    body?: string;
  };
  skip: boolean;
}

/** What the hooks make of a transaction. */
export interface PreparedTransaction {
  /** As `listPets 200`. */
  readonly id: string;
  readonly request: SuiteRequest;
  /** Why it is not tried. */
  readonly skipped: string | undefined;
}

/** The hooks of one run, and what they have prepared, by the title of the transaction. */
export interface Hooks {
  readonly beforeEach: (transaction: DreddTransaction) => void;
  readonly beforeEachValidation: (transaction: DreddTransaction) => void;
  readonly prepared: ReadonlyMap<string, PreparedTransaction>;
}

/** An id that no animal is likely to have. */
const UNKNOWN_ID = 8_765_432_109_876_543_210n;

/** Makes each request deserve the response that openapi.yaml documents, and has Dredd judge that by its schema. */
export function createHooks(job: DreddJob): Hooks {
  const { baseUrl } = job.target;
  const { operations } = loadContract();
  const schemas = createSchemas();
  const prepared = new Map<string, PreparedTransaction>();
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  return {
    prepared,
    beforeEach: (transaction) => {
      const { request, expected, origin } = transaction;
      const { method } = request;
      const status = String(expected.statusCode);
      const isMeant = (one: Operation) => one.method === method && one.path === origin.resourceName;
      const { operationId = '' } = operations.find(isMeant) ?? {};
      const deserved = deserve[operationId]?.(status, job);
      // Without a request that deserves it, Dredd would make up one of its own.
      if (deserved === undefined) transaction.skip = true;
      if (deserved === undefined) return;
      const { path, body, skipped } = deserved;
      const id = `${operationId} ${status}`;
      const uri = `${basePath}${path}`;
      const headers = createHeaders(status, body, job);
      Object.assign(transaction, { fullPath: uri, skip: skipped !== undefined || job.done.includes(id) });
      Object.assign(request, { uri, body: body ?? '', headers });
      // A sample would want every field that it has; a schema wants those that are required.
      delete expected.body;
      Object.assign(expected, { bodySchema: schemas[id] });
      prepared.set(transaction.id, {
        id,
        request: { method, base: baseUrl, path, headers, body },
        skipped,
      });
    },
    beforeEachValidation: ({ id, expected, real }) => {
      // Some servers begin with a mark, which a parser may ignore (RFC 8259, section 8.1).
      if (real?.body !== undefined) real.body = real.body.replace(/^\ufeff/, '');
      // Dredd compares media types to the letter; parameters and case are no difference. Another type stays one.
      const [type = ''] = (real?.headers['content-type'] ?? '').split(';');
      if (type.trim().toLowerCase() === 'application/json') expected.headers = {};
      // The specification documents no 400 for a list: another refusal conforms, and so does a list.
      const status = Number(real?.statusCode);
      const isOther =
        prepared.get(id)?.id === 'listPets 400' && (Math.trunc(status / 100) === 4 || status === 200);
      if (!isOther) return;
      expected.statusCode = String(status);
      Object.assign(expected, { bodySchema: schemas[status === 200 ? 'listPets 200' : 'listPets 400'] });
    },
  };
}

/** What deserves a status, and why it is not tried. */
interface Deserved {
  readonly path: string;
  readonly body?: string;
  readonly skipped?: string | undefined;
}

/** The request that deserves a status, by operationId. */
const deserve: Readonly<Record<string, (status: string, job: DreddJob) => Deserved>> = {
  listPets: (status) => ({ path: status === '400' ? '/pets?limit=0' : '/pets' }),
  createPet: (status, { target, name, categoryId }) => ({
    path: '/pets',
    body: status === '400' ? '{}' : `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`,
    skipped: target.allowsWrites ? undefined : 'it would write, which is not allowed here (--allow-writes)',
  }),
  getPet: (status, { knownId, isRemoved }) => {
    const id = status === '200' ? knownId : UNKNOWN_ID;
    const isMissing = id === undefined ? 'there is no animal to fetch' : undefined;
    return {
      path: `/pets/${id ?? UNKNOWN_ID}`,
      skipped: isRemoved ? 'the operation has been removed, as was announced' : isMissing,
    };
  },
};

function createHeaders(
  status: string,
  body: string | undefined,
  { target: { apiKey, headers } }: DreddJob,
): Record<string, string> {
  return {
    ...headers,
    Accept: 'application/json',
    // One that is kept may be closed just when it is used again.
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(status === '401' ? {} : { Authorization: `Bearer ${apiKey}` }),
  };
}

/** JSON Schemas of the documented responses, each with all that it refers to, by operationId and status: `listPets 200`. */
function createSchemas(): Record<string, object> {
  const { operations, schemas } = loadContract();
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, { content }]) => {
      const schema = content['application/json']?.schema ?? {};
      const $schema = 'http://json-schema.org/draft-07/schema#';
      return [`${operationId} ${status}`, { $schema, components: { schemas }, allOf: [schema] }] as const;
    }),
  );
  // Dredd's validator knows the formats of JSON Schema alone.
  const text = JSON.stringify(Object.fromEntries(documented), (key, value) =>
    key === 'format' ? undefined : value,
  );
  return JSON.parse(text);
}
