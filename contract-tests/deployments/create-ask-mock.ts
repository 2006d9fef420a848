import { createProfile } from '../../fixtures/profiles.ts';
import { ApiError } from '../../mock/api/errors.ts';
import { createListPrinter } from '../../mock/api/list-printer.ts';
import { createPet, getPet, listPets, type OperationContext } from '../../mock/api/operations.ts';
import { createPetStore } from '../../mock/api/pet-store.ts';
import type { Reply } from '../../mock/api/reply.ts';
import { createExpectKey } from '../../mock/http/auth.ts';
import { corsHeaders } from '../../mock/http/cors.ts';
import { nothingAt } from '../../mock/http/error-writer.ts';
import type { MockOptions } from '../../mock/index.ts';
import { type MockConfig, resolveOptions } from '../../mock/options.ts';
import type { AskMock, DeployedRequest } from './deployment.ts';

/** The animals of each start, which are the same for the same options. */
const animals = new Map<string, ReturnType<typeof createProfile>>();

/** Creates what answers as a mock of its own would, without a server: the mock's operations behind its authentication. */
export function createAskMock(options: MockOptions = {}): AskMock {
  const config = resolveOptions(options);
  const store = createPetStore(chooseAnimals(config));
  const { limitPolicy } = config;
  const context = { store, printList: createListPrinter(store), limitPolicy, now: () => new Date() };
  const expectKey = createExpectKey(config.apiKeys);
  return async (request) => {
    const { status, headers, body } = answer(request, context, expectKey);
    const { 'Content-Length': _, ...own } = headers;
    const sent = Object.entries({ ...corsHeaders, ...own });
    const byName = sent.map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { status, headers: Object.fromEntries(byName), body };
  };
}

function chooseAnimals({ profile, seed, animals: count }: MockConfig) {
  const key = `${profile} ${count}`;
  const chosen = animals.get(key) ?? createProfile(profile, { seed, animals: count });
  animals.set(key, chosen);
  return chosen;
}

function answer(
  request: DeployedRequest,
  context: OperationContext,
  expectKey: ReturnType<typeof createExpectKey>,
): Reply {
  try {
    expectKey(request.headers.authorization);
    return route(request, context);
  } catch (error) {
    if (error instanceof ApiError) return error.reply;
    throw error;
  }
}

function route({ method, path, query, headers, body }: DeployedRequest, context: OperationContext): Reply {
  const petId = /^\/pets\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && path === '/pets') return listPets(context, query);
  if (method === 'GET' && petId !== undefined) return getPet(context, decode(petId));
  if (method !== 'POST' || path !== '/pets') throw nothingAt(`/v1${path}`);
  if (headers['content-encoding'] !== undefined) {
    throw new ApiError('invalid_request', 'The request could not be read: incorrect header check.');
  }
  return createPet(context, { mediaType: headers['content-type'], bytes: Buffer.from(body) });
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw nothingAt(`/v1/pets/${segment}`);
  }
}
