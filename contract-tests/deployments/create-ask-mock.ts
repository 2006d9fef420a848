import { ApiError } from '../../common/http/api-error.ts';
import { createRefuseKey } from '../../common/http/refuse-key.ts';
import type { Reply } from '../../common/http/reply.ts';
import { createProfile } from '../../fixtures/profiles.ts';
import { createPet, getPet, listPets, type OperationContext } from '../../mock/api/operations.ts';
import { createContents, PetStore } from '../../mock/api/pet-store.ts';
import type { MockOptions } from '../../mock/index.ts';
import type { MockConfig } from '../../mock/options.ts';
import { resolveMockOptions } from '../../mock/options.ts';
import { decodePart, nothingAt } from '../../mock/pipeline/pipeline.ts';
import type { AskMock, DeployedRequest } from './deployment.ts';

/** The animals of each start, which are the same for the same options. */
const profiles = new Map<string, ReturnType<typeof createProfile>>();

/** Creates what answers as a mock of its own would, without a server: the mock's operations behind its authentication. */
export async function createAskMock(options: MockOptions = {}): Promise<AskMock> {
  const config = resolveMockOptions(options);
  const store = new PetStore(createContents(await chooseAnimals(config)));
  const { apiKeys, limitPolicy } = config;
  const settings = { limitPolicy, order: 'oldest' } as const;
  const session = { settings, random: Math.random, now: () => new Date(), basePath: '/v1' };
  const context: OperationContext = { store, session };
  const refuseKey = createRefuseKey(apiKeys);
  return async (request) => {
    try {
      const refusal = refuseKey(request.headers.authorization);
      return toDeployedReply(refusal?.reply ?? route(request, context));
    } catch (error) {
      if (error instanceof ApiError) return toDeployedReply(error.reply);
      throw error;
    }
  };
}

function chooseAnimals({ profile, seed, animals }: MockConfig): ReturnType<typeof createProfile> {
  const key = `${profile} ${animals}`;
  const chosen = profiles.get(key) ?? createProfile(profile, { seed, animals });
  profiles.set(key, chosen);
  return chosen;
}

function toDeployedReply({ status, headers, body }: Reply) {
  const byName: Record<string, string> = {};
  // The server of the deployment tells the length of what it sends.
  for (const name in headers)
    if (name !== 'Content-Length') byName[name.toLowerCase()] = String(headers[name]);
  return { status, headers: byName, body };
}

function route({ method, path, query, headers, body }: DeployedRequest, context: OperationContext): Reply {
  const petId = /^\/pets\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && path === '/pets') return listPets(context, query);
  if (method === 'GET' && petId !== undefined) return getPet(context, decodePart(petId, `/v1${path}`));
  if (method !== 'POST' || path !== '/pets') throw nothingAt(`/v1${path}`);
  if (headers['content-encoding'] !== undefined) {
    throw new ApiError('invalid_request', 'The request could not be read: incorrect header check.');
  }
  return createPet(context, { mediaType: headers['content-type'], bytes: Buffer.from(body) });
}
