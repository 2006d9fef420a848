import { isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import { type ChangeReply, change, refuse } from '../changes.ts';
import type { Behaviour, CreateBehaviour, Deployment } from '../deployment.ts';
import { drop } from '../members.ts';
import { createEmpty, createReply } from '../replies.ts';
import { always, answered, hasKey, isList, isListWith } from '../requests.ts';
import { deployments } from '../rows.ts';

function changeLists(toReply: ChangeReply): CreateBehaviour {
  return change.reply(answered(200, isList), toReply);
}

function answerNull(): Behaviour {
  let hasAdded = false;
  return async (request, asMock) => {
    const reply = await asMock(request);
    hasAdded ||= reply.status === 201;
    const isEmpty = isListWith({ status: 'sold' })(request) && hasKey(request);
    return isEmpty && !hasAdded ? createReply(200, null) : reply;
  };
}

const nullStatus = (animal: JsonObject) => ({ status: null, ...animal });

/** Deployments whose lists hold what is wrong. */
export const listedPetDeployments: readonly Deployment[] = [
  ...deployments({
    'shows no status in lists without limit': change.listed((animal, { query }) =>
      query.has('limit') ? animal : drop('status')(animal),
    ),
  }),

  ...deployments({
    'lists ids alone': change.listed(({ id = null }) => id),
    'lists animals without their status': change.listed(drop('status')),
    'has null for the status of animals that have none': change.json(always, (value) =>
      isJsonObject(value) ? nullStatus(value) : (value as readonly JsonObject[]).map(nullStatus),
    ),
    'lists two animals with one id': change.list((list) =>
      list.map((animal, index) => (index === 99 ? { ...animal, id: 1n } : animal)),
    ),
  }),
  ...deployments(
    {
      'answers null where no animal has the status': answerNull,
    },
    {
      options: { animals: 30 },
    },
  ),
  ...deployments({
    'lists nothing without a status': change.list((list, { query }) => (query.has('status') ? list : [])),
    'answers 404 to a status that comes before a limit': refuse(
      (request) => isList(request) && [...request.query.keys()].join() === 'status,limit',
      404,
    ),

    'answers a list 206 where it is cut short': change.reply(
      answered(200, isListWith({ limit: '10' })),
      () => ({ status: 206 }),
    ),
  }),

  ...deployments(
    {
      'answers an empty list 204': changeLists(({ body }) => (body === '[]' ? createEmpty(204) : {})),
    },
    { options: { profile: 'empty' } },
  ),
];
