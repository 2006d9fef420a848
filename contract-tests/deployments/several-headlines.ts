import type { JsonObject } from '../../common/json/exact-json.ts';
import { change, changeAnimal, changeJson, changeListed, everySecond } from './changes.ts';
import { type CreateAnswer, type Deployment, deployments } from './deployment.ts';
import { type DeployedRequest, type IsMeant, idOf, isCreation, isFetch, isList } from './messages.ts';
import { answered } from './replies.ts';
import { alter, asDouble, drop, readJson, turnStatus } from './values.ts';

const fetched = answered(200, isFetch);
const listed = answered(200, isList);
const created = answered(201, isCreation);

/** Number of requests after which an animal has another status. */
const REQUESTS_TO_SETTLE = 20;

/** Gives every animal another status after a while, whatever was sent. */
function settleLater(): ReturnType<CreateAnswer> {
  const addedAt = new Map<unknown, number>();
  let requests = 0;
  const settle = (animal: JsonObject) => {
    const at = addedAt.get(animal.id);
    if (at === undefined || requests - at < REQUESTS_TO_SETTLE || animal.status === undefined) return animal;
    return turnStatus(animal);
  };
  return async (request, asMock) => {
    requests += 1;
    const reply = await asMock(request);
    if (created(request, reply))
      changeJson<JsonObject>((animal) => {
        addedAt.set(animal.id, requests);
        return animal;
      })(reply, request);
    if (fetched(request, reply)) return { ...reply, ...changeAnimal(settle)(reply, request) };
    return listed(request, reply) ? { ...reply, ...changeListed(settle)(reply, request) } : reply;
  };
}

const hasShortId: IsMeant = (request) => isFetch(request) && /^-?\d{1,18}$/.test(idOf(request));
const roundId = (one: DeployedRequest) => ({ path: `/pets/${asDouble(BigInt(idOf(one)))}` });
const edgeCases = { options: { profile: 'edge-cases' } } as const;
const rex = '{"name":"Rex","categoryId":1}';

/**
 * Deployments with one defect that breaks several clauses, each in a way of its own. verdicts.txt has the headlines, with the
 * reason.
 */
export const severalHeadlines: readonly Deployment[] = deployments({
  'adds an animal for malformed JSON': change.body((body) => (readJson(body) === undefined ? rex : body)),
  'keeps categoryIds as doubles': change.sent(alter('categoryId', asDouble)),
  'gives a new animal the id of one that it lists': change.created(alter('id', (id) => Number(id) - 120)),
  'rounds ids that it looks for': [change.request(hasShortId, roundId), edgeCases],
  'rounds the ids that it lists': [change.listed(alter('id', asDouble)), edgeCases],
  'shows no statuses in every second list': everySecond(listed, changeListed(drop('status'))),
  'shows other names in every second list': everySecond(
    listed,
    changeListed(alter('name', (name) => `${name}!`)),
  ),
  'gives every animal another status a while after it was added': settleLater,
});
