import { isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import { type ChangeReply, change } from '../changes.ts';
import { type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { drop } from '../members.ts';
import { createEmpty } from '../replies.ts';
import { always, answered, isList } from '../requests.ts';

function changeLists(toReply: ChangeReply): CreateBehaviour {
  return change.reply(answered(200, isList), toReply);
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
    'has null for the status of animals that have none': change.json(always, (value) =>
      isJsonObject(value) ? nullStatus(value) : (value as readonly JsonObject[]).map(nullStatus),
    ),
    'lists two animals with one id': change.list((list) =>
      list.map((animal, index) => (index === 99 ? { ...animal, id: 1n } : animal)),
    ),
  }),

  ...deployments(
    {
      'answers an empty list 204': changeLists(({ body }) => (body === '[]' ? createEmpty(204) : {})),
    },
    { options: { profile: 'empty' } },
  ),
];
