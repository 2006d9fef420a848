import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  printExactJson,
} from '../../../common/json/exact-json.ts';
import { answerOtherwise, answerWith, change, refuse } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, drop, readJson } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { answered, type IsMeant, isCreation, isInChunks, sentBy } from '../requests.ts';
import { deployments } from '../rows.ts';

/** Takes one value of a member for another one. */
function take(member: string, value: ExactJson, other: ExactJson) {
  return alter(member, (sent) => (sent === value ? other : sent));
}

function isObjectWith(value: ExactJson, member: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, member);
}

function refuseWith(status: number, isMeant: IsMeant): CreateBehaviour {
  return change.errorReply(
    () => createError(status),
    answered(400, (request) => isCreation(request) && isMeant(request)),
  );
}

/** Adds an animal of a body that it refuses. */
function addRefused(repair: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const reply = await asMock(request);
    const sent = sentBy(request);
    if (reply.status === 400 && Object.keys(sent).length > 1) {
      await asMock({ ...request, body: printExactJson(repair(sent)) });
    }
    return reply;
  });
}

/** Deployments that take bodies which are to be refused, or refuse them in a wrong way. */
export const refusedPetDeployments: readonly Deployment[] = [
  ...deployments({
    'refuses a body without a name with 422': refuseWith(
      422,
      (request) => !('name' in sentBy(request)) && 'categoryId' in sentBy(request),
    ),
  }),

  ...deployments({
    'takes an object that has a toString for a name': change.sent(
      alter('name', (name) => (isObjectWith(name, 'toString') ? 'Rex' : name)),
    ),
    'adds an animal with a quarter for a categoryId': change.sent(take('categoryId', 1.25, 1n)),

    'takes a categoryId beyond int64 that ends in .0': change.body((body) =>
      body.replace('9223372036854775808.0', '9223372036854775807'),
    ),
    'takes a categoryId with a very large exponent for the largest one': change.body((body) =>
      body.replace('1e100000000', '9223372036854775807'),
    ),
    'adds an animal that is reserved': change.sent(take('status', 'reserved', 'pending')),

    'refuses a bad status with 409': refuseWith(409, (request) =>
      ['name', 'categoryId', 'status'].every((member) => member in sentBy(request)),
    ),
    'takes an empty object for an animal where it is plain text': answerWith(
      (request) => isCreation(request) && request.headers['content-type'] === 'text/plain',
      createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),
    'takes a body that is encoded twice': change.body((body) => {
      const inner = readJson(body);
      return typeof inner === 'string' ? inner : body;
    }),
    'refuses an empty body with 411': refuseWith(411, ({ body }) => body === ''),
    'reads a body without a length as an empty one': refuse(isInChunks),
    'takes NaN where nobody reads it': change.body((body) => body.replace(/,"[^"]*":NaN/g, '')),
    'takes JSON with a comma too many': change.body((body) => body.replace(/,\}$/, '}')),
  }),

  ...deployments(
    {
      'keeps an animal that it refuses for its status without one, among many': addRefused((sent) =>
        sent.status === 'lost' ? drop('status')(sent) : sent,
      ),
    },
    {
      options: { animals: 400 },
    },
  ),
  ...deployments({
    'adds an animal without a name although it refuses it': addRefused((sent) => ({ name: '', ...sent })),
  }),
];
