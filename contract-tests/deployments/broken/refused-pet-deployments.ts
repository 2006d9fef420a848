import { type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { answerOtherwise, answerWith, refuse } from '../changes.ts';
import { type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { drop } from '../members.ts';
import { createReply } from '../replies.ts';
import { isCreation, isInChunks, sentBy } from '../requests.ts';

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
    'takes an empty object for an animal where it is plain text': answerWith(
      (request) => isCreation(request) && request.headers['content-type'] === 'text/plain',
      createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),

    'reads a body without a length as an empty one': refuse(isInChunks),
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
