import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import type { RequestOptions } from '../client/to-request.ts';
import { type History, isOfClient } from '../history/history.ts';
import { LONGEST, WITH_SLASH } from '../history/list-parameters.ts';
import type { Sender } from './sender.ts';

/** A path that no service has. */
const UNKNOWN_PATH = '/contract-test-unknown-path';

/** Requests that only read, and that no table sends, because the specification does not say how they are answered. */
const reads: readonly RequestOptions[] = [
  { path: UNKNOWN_PATH },
  { path: UNKNOWN_PATH, authorization: undefined },
  { path: WITH_SLASH },
  { method: 'HEAD', path: '/pets' },
  // Without the headers of a preflight, which a gateway may answer.
  { method: 'OPTIONS', path: '/pets' },
  { path: '/pets?limit=abc' },
  { path: '/pets?limit=2.5' },
  { path: '/pets?limit=02' },
  { path: '/pets?limit=' },
  { path: '/pets?limit=1&limit=2' },
  { path: `/pets${LONGEST}&status=sold&status=pending` },
  // At the end of the run, this list has the animals of the run too.
  { path: `/pets${LONGEST}` },
];

/** Bodies of POST /pets, made of a valid one. */
const bodies: readonly ((pet: JsonObject) => string)[] = [
  (pet) => printExactJson({ ...pet, nickname: 'Rexi' }),
  (pet) => printExactJson(pet).replace(/\}$/, `,"name":${printExactJson(`${pet.name} again`)}}`),
  // One character more than the maximum that many services have.
  ...[100, 255].map((most) => (pet: JsonObject) => printExactJson({ ...pet, name: padName(pet, most + 1) })),
];

function padName({ name }: JsonObject, length: number): string {
  return `${name}`.padEnd(length, 'x');
}

/**
 * Sends what shows how a deployment decides points that the specification leaves unspecified, so that a mock that replays the
 * recording of the run can do the same. Whatever the deployment decides is right, but an error still has to be an Error.
 */
export async function sendUnspecified(sender: Sender): Promise<void> {
  const form = 'what is unspecified' as const;
  await sender.sendEach(reads.map((request) => ({ ...request, form })));
  await sender.sendEach(listConditional(sender.history).map((request) => ({ ...request, form })));
  if (!sender.mayWrite) return;
  for (const toBody of bodies) await sender.post(toBody(sender.createPet('unspecified')), { form });
}

/** Lists the request for an animal, or else for a list, with the ETag that its last response had. */
function listConditional({ fetches, lists }: History): readonly RequestOptions[] {
  const tagged = [...lists, ...fetches].filter(
    ({ exchange }) =>
      exchange.status === 200 && exchange.response?.headers.etag !== undefined && !isOfClient(exchange),
  );
  const last = tagged.at(-1)?.exchange;
  const tag = last?.response?.headers.etag;
  return last === undefined || tag === undefined
    ? []
    : [{ path: last.path, headers: { 'If-None-Match': tag } }];
}
