import { loadContract } from '../../common/json/contract.ts';
import type { Replay } from './run-dredd.ts';

export const REPLAYED = 'x-replayed';

interface DreddTransaction {
  readonly id: string;
  /** The name of a resource is its path in openapi.yaml. */
  readonly origin: { readonly resourceName: string };
  readonly request: { readonly method: string };
  readonly expected: { statusCode: string; headers: object; body?: string };
  readonly real?: { statusCode: number | string; headers: Record<string, string>; body?: string };
  skip: boolean;
}

/** Creates hooks that make Dredd request the given responses and validate them by the schemas of openapi.yaml. */
export function createHooks(replays: readonly Replay[]) {
  const { operations } = loadContract();
  const schemas = createSchemas();
  const prepared = new Map<string, Replay>();
  return {
    prepared,
    beforeEach: (transaction: DreddTransaction) => {
      const { id: title, origin, request, expected } = transaction;
      const ofPath = operations.filter(({ path }) => path === origin.resourceName);
      const { operationId } = ofPath.find(({ method }) => method === request.method) ?? {};
      const id = `${operationId} ${expected.statusCode}`;
      const replay = replays.find((one) => one.id === id);
      transaction.skip = replay === undefined;
      if (replay === undefined) return;
      prepared.set(title, replay);
      Object.assign(transaction, { fullPath: replay.path });
      Object.assign(request, { uri: replay.path, headers: { [REPLAYED]: id }, body: '' });
      // A sample body requires every field that it has; a schema requires the required ones.
      delete expected.body;
      Object.assign(expected, { bodySchema: schemas[id] });
    },
    beforeEachValidation: ({ id, expected, real }: DreddTransaction) => {
      // Some servers begin with a byte order mark, which a parser may ignore (RFC 8259, section 8.1).
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

/** Creates a JSON Schema for each documented response, with everything that it refers to, by id: `listPets 200`. */
function createSchemas(): Record<string, object> {
  const { operations, schemas } = loadContract();
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, { content }]) => {
      const schema = content['application/json']?.schema ?? {};
      const $schema = 'http://json-schema.org/draft-07/schema#';
      return [`${operationId} ${status}`, { $schema, components: { schemas }, allOf: [schema] }] as const;
    }),
  );
  // Dredd's validator knows the formats of JSON Schema only.
  const all = Object.fromEntries(documented);
  return JSON.parse(JSON.stringify(all, (key, value) => (key === 'format' ? undefined : value)));
}
