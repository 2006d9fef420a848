import type { DreddJob, DreddRequest } from './transaction.ts';

/** A transaction as Dredd hands it to hooks, which change it. */
interface DreddTransaction {
  /** Its title. */
  readonly id: string;
  readonly origin: { readonly resourceName: string };
  fullPath: string;
  readonly request: {
    readonly method: string;
    uri: string;
    headers: Record<string, string>;
    body: string;
  };
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

/** What a run of Dredd's makes of a transaction. */
export interface PreparedTransaction {
  /** As `listPets 200`. */
  readonly id: string;
  readonly request: DreddRequest;
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
const UNKNOWN_ID = '8765432109876543210';

/** Makes each request deserve the response that openapi.yaml documents, and has Dredd judge that by its schema. */
export function createHooks(job: DreddJob): Hooks {
  const prepared = new Map<string, PreparedTransaction>();
  const basePath = new URL(job.baseUrl).pathname.replace(/\/$/, '');
  return {
    prepared,
    beforeEach: (transaction) => {
      const { request, expected, origin } = transaction;
      const operation = operationOf(request.method, origin.resourceName);
      const id = `${operation} ${expected.statusCode}`;
      const { path, body, skipped } = deserve(operation, String(expected.statusCode), job);
      const uri = `${basePath}${path}`;
      Object.assign(transaction, { fullPath: uri, skip: skipped !== undefined || job.done.includes(id) });
      const headers = toHeaders(String(expected.statusCode), body, job);
      Object.assign(request, { uri, body: body ?? '', headers });
      // A sample would want every field that it has; a schema wants those that are required.
      delete expected.body;
      Object.assign(expected, { bodySchema: job.schemas[id] });
      const made = { method: request.method, path, headers, body: body ?? '' };
      prepared.set(transaction.id, { id, request: made, skipped });
    },
    beforeEachValidation: ({ expected, real, request }) => {
      // Some servers begin with a mark, which a parser may ignore (RFC 8259, section 8.1).
      if (real?.body !== undefined) real.body = real.body.replace(/^\ufeff/, '');
      // Dredd compares media types to the letter; parameters and case are no difference. Another type stays one.
      const [type = ''] = (real?.headers['content-type'] ?? '').split(';');
      if (type.trim().toLowerCase() === 'application/json') expected.headers = {};
      // The specification documents no 400 for a list: another refusal is lawful, and so is a list.
      const isList = request.method === 'GET' && expected.statusCode === '400';
      const status = Number(real?.statusCode);
      if (!isList || !((status >= 400 && status < 500) || status === 200)) return;
      expected.statusCode = String(status);
      const schema = job.schemas[status === 200 ? 'listPets 200' : 'listPets 400'];
      if (schema !== undefined) expected.bodySchema = schema;
    },
  };
}

function operationOf(method: string, resourceName: string): string {
  if (method === 'POST') return 'createPet';
  return resourceName.includes('{') ? 'getPet' : 'listPets';
}

/** The request that deserves a status. */
function deserve(
  operation: string,
  status: string,
  { allowsWrites, name, categoryId, knownId, isRemoved }: DreddJob,
): { path: string; body?: string; skipped: string | undefined } {
  if (operation === 'listPets')
    return { path: status === '400' ? '/pets?limit=0' : '/pets', skipped: undefined };
  if (operation === 'getPet') {
    const isFound = status === '200';
    const isMissing = isFound && knownId === undefined ? 'there is no animal to fetch' : undefined;
    return {
      path: `/pets/${isFound ? (knownId ?? UNKNOWN_ID) : UNKNOWN_ID}`,
      skipped: isRemoved ? 'the operation has been removed, as was announced' : isMissing,
    };
  }
  const lawful = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`;
  return {
    path: '/pets',
    body: status === '400' ? '{}' : lawful,
    skipped: allowsWrites ? undefined : 'it would write, which is not allowed here (--allow-writes)',
  };
}

function toHeaders(
  status: string,
  body: string | undefined,
  { apiKey, headers }: DreddJob,
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
