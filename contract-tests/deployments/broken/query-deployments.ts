import { isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import { answerOtherwise, change, mixUp } from '../changes.ts';
import { createAnimals, createStoreAnswer, statuses } from '../conforming/store-behaviour.ts';
import { type Answer, type Deployment, deployments } from '../deployment.ts';
import {
  alter,
  always,
  animalsOf,
  answered,
  asDouble,
  createEmpty,
  createReply,
  hasKey,
  idOf,
  isFetch,
  isList,
  isListOf,
  withParameters,
} from '../messages.ts';

const filterAfterwards: Answer = async (request, asMock) => {
  const reply = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
  const hasStatus = ({ status }: JsonObject) => status === request.query.get('status');
  return reply.status === 200 ? createReply(200, animalsOf(reply).filter(hasStatus)) : reply;
};

const nullStatus = (animal: JsonObject) => ({ status: null, ...animal });

const answerNear: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status !== 404 || !/^-?\d{16,18}$/.test(idOf(request))) return reply;
  const near = [-1n, 1n].map((step) => asMock({ ...request, path: `/pets/${BigInt(idOf(request)) + step}` }));
  return (await Promise.all(near)).find(({ status }) => status === 200) ?? reply;
};

const read1000 = (limit: string) => (limit === '1000' ? 1000 : undefined);
const hasStatus = isListOf((_, status) => statuses.includes(status ?? ''));
const edgeCases = { options: { profile: 'edge-cases' } } as const;

/** Deployments that take a query or an id in a wrong way, or answer the wrong animals. */
export const queryDeployments: readonly Deployment[] = deployments({
  'lists all animals for a parameter that it does not know': change.query(
    (limit, status, query) => limit === null && status === null && query.size > 0,
    { limit: '100' },
  ),
  'lists all animals for a limit of 1000, which are more than 100 at the end of a run': () =>
    createStoreAnswer({ animals: createAnimals(48), pageSize: 300, readInvalidLimit: read1000 }),
  'lists animals without a status by every status': () =>
    createStoreAnswer({ animals: createAnimals(30), unshown: statuses }),
  'looks at the status after the limit': answerOtherwise(hasStatus, filterAfterwards),
  'leaves out the last animal of a status': [
    change.list((list, { query }) => (query.has('status') && list.length > 4 ? list.toSpliced(-2, 1) : list)),
    { options: { animals: 60 } },
  ],
  'has null for the status of animals that have none': change.json(always, (value) =>
    isJsonObject(value) ? nullStatus(value) : (value as readonly JsonObject[]).map(nullStatus),
  ),
  'answers an empty list 204': [
    change.reply(answered(200, isList), ({ body }) => (body === '[]' ? createEmpty(204) : {})),
    { options: { profile: 'empty' } },
  ],
  'mixes up animals that are fetched at once': mixUp(
    (request) => hasKey(request) && /^\/pets\/[1-9]\d{0,2}$/.test(request.path),
    (_, { path }) => ({ path }),
  ),
  'rounds ids that it looks for': [
    change.request(
      (request) => isFetch(request) && /^-?\d{1,18}$/.test(idOf(request)),
      (request) => ({ path: `/pets/${asDouble(BigInt(idOf(request)))}` }),
    ),
    edgeCases,
  ],
  'rounds the ids that it lists': [change.listed(alter('id', asDouble)), edgeCases],
  'answers an animal to ids that are the same as a double': [answerOtherwise(isFetch, answerNear), edgeCases],
});
