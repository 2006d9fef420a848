import { loadContract } from '../../common/contract.ts';
import { type DreddJob, type PlannedRequest, REPLAYED } from './transaction.ts';

/** A transaction as Dredd hands it to hooks, which change it. */
interface DreddTransaction {
  /** Its title. */
  readonly id: string;
  /** The name of a resource is its path in openapi.yaml. */
  readonly origin: { readonly resourceName: string };
  readonly request: { readonly method: string };
  readonly expected: { statusCode: string; headers: object; body?: string };
  readonly real?: {
    readonly statusCode: number | string;
    readonly headers: Record<string, string>;
    body?: string;
  };
  skip: boolean;
}

/**
 * Creates hooks that have Dredd send the planned requests, and judge their responses by the schemas of openapi.yaml.
 *
 * @returns them, and what was sent by the title of its transaction.
 */
export function createHooks({ planned }: Pick<DreddJob, 'planned'>) {
  const { operations } = loadContract();
  const schemas = createSchemas();
  const prepared = new Map<string, PlannedRequest>();
  return {
    prepared,
    beforeEach: (transaction: DreddTransaction) => {
      const { id: title, origin, request, expected } = transaction;
      const operation = operations.find(
        ({ method, path }) => method === request.method && path === origin.resourceName,
      );
      const id = `${operation?.operationId} ${expected.statusCode}`;
      const plan = planned.find((one) => one.id === id);
      // Without a request that is planned, Dredd would make up one of its own.
      transaction.skip = plan === undefined || plan.skipped !== undefined;
      if (plan === undefined) return;
      prepared.set(title, plan);
      // The rest of the request is not Dredd's: the relay adds it.
      const uri = plan.options.path;
      Object.assign(transaction, { fullPath: uri });
      Object.assign(request, { uri, headers: { [REPLAYED]: id }, body: '' });
      // A sample would want every field that it has; a schema wants those that are required.
      delete expected.body;
      Object.assign(expected, { bodySchema: schemas[id] });
    },
    beforeEachValidation: ({ id, expected, real }: DreddTransaction) => {
      // Some servers begin with a mark, which a parser may ignore (RFC 8259, section 8.1).
      if (real?.body !== undefined) real.body = real.body.replace(/^\ufeff/, '');
      // Dredd compares media types to the letter; parameters and case are no difference. Another type stays one.
      const [type = ''] = (real?.headers['content-type'] ?? '').split(';');
      if (type.trim().toLowerCase() === 'application/json') expected.headers = {};
      // The specification documents no 400 for a list: another refusal conforms, and so does a list.
      const status = Number(real?.statusCode);
      const isRefusal = Math.trunc(status / 100) === 4;
      if (prepared.get(id)?.id !== 'listPets 400' || !(isRefusal || status === 200)) return;
      expected.statusCode = String(status);
      Object.assign(expected, { bodySchema: schemas[isRefusal ? 'listPets 400' : 'listPets 200'] });
    },
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
