import type { JsonObject } from '../../../common/json/exact-json.ts';
import { type ChangeReply, changeJson } from '../changes.ts';
import { type CreateAnswer, type Deployment, deployments } from '../deployment.ts';
import { type IsAnswered, isCreation, isFetch, isList } from '../messages.ts';
import { answered, createError } from '../replies.ts';
import { alter, asDouble, drop } from '../values.ts';

/** Changes every second reply that is meant, as where two versions of a service answer in turns. */
function everySecond(isMeant: IsAnswered, toReply: ChangeReply): CreateAnswer {
  return () => {
    let count = 0;
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (!isMeant(request, reply)) return reply;
      count += 1;
      return count % 2 === 0 ? { ...reply, ...toReply(reply, request) } : reply;
    };
  };
}

const nextStatus = { available: 'pending', pending: 'sold', sold: 'available' } as const;

const turnStatus = alter('status', (status) => nextStatus[status as keyof typeof nextStatus] ?? null);

const ofAnimal = (change: (animal: JsonObject) => JsonObject) => changeJson<JsonObject>(change);
const ofList = (change: (animal: JsonObject) => JsonObject) =>
  changeJson<readonly JsonObject[]>((list) => list.map(change));

const fetched = answered(200, isFetch);
const listed = answered(200, isList);
const created = answered(201, isCreation);

/** Adds a status of the service to every animal after a while, whatever was sent. */
function settleAsPending(): ReturnType<CreateAnswer> {
  const addedAt = new Map<unknown, number>();
  let requests = 0;
  const LATER = 20;
  const settle = (animal: JsonObject) => {
    const at = addedAt.get(animal.id);
    if (at === undefined || requests - at < LATER || animal.status === undefined) return animal;
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
    if (fetched(request, reply)) return { ...reply, ...ofAnimal(settle)(reply, request) };
    return listed(request, reply) ? { ...reply, ...ofList(settle)(reply, request) } : reply;
  };
}

/** Deployments of which every second reply is of another version, as in a rolling deployment that stopped half way. */
export const versionDeployments: readonly Deployment[] = deployments({
  'shows another status of an animal in every second reply by id': everySecond(fetched, ofAnimal(turnStatus)),
  'shows no status of an animal in every second reply by id': everySecond(fetched, ofAnimal(drop('status'))),
  'shows another name of an animal in every second reply by id': everySecond(
    fetched,
    ofAnimal(alter('name', (name) => `${name}!`)),
  ),
  'rounds the categoryId in every second reply by id': everySecond(
    fetched,
    ofAnimal(alter('categoryId', asDouble)),
  ),
  'has no animal in every second reply by id': everySecond(fetched, () => createError(404)),
  'shows other statuses in every second list': everySecond(listed, ofList(turnStatus)),
  'shows no statuses in every second list': everySecond(listed, ofList(drop('status'))),
  'shows other names in every second list': everySecond(listed, ofList(alter('name', (name) => `${name}!`))),
  'returns another status in every second addition': everySecond(created, ofAnimal(turnStatus)),
  'gives every animal another status a while after it was added': settleAsPending,
});
