import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { statuses } from './conforming/store-behaviour.ts';
import type { Answer, AskMock, CreateAnswer, Deployment } from './deployment.ts';
import { type DeployedRequest, isList } from './messages.ts';
import { createReply } from './replies.ts';
import { readJson } from './values.ts';

/** The name of every animal that another client adds. */
const OTHER_NAME = 'Added by another client';

const asMockDoes: Answer = (request, asMock) => asMock(request);

/** Changes the answer of a deployment, or of the mock if it is just the mock. */
function around(deployment: Deployment, wrap: (answer: Answer) => Answer): Deployment {
  const { createAnswer = () => asMockDoes } = deployment;
  const createWrapped: CreateAnswer = () => wrap(createAnswer());
  return { ...deployment, createAnswer: createWrapped };
}

function createAddition(deployment: Deployment, status?: string): DeployedRequest {
  const { apiKey = 'test-key', headers = {}, categoryId = 1n } = deployment.target ?? {};
  return {
    method: 'POST',
    path: '/pets',
    query: new URLSearchParams(),
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
    },
    body: printExactJson({ name: OTHER_NAME, categoryId, ...(status !== undefined && { status }) }),
  };
}

/**
 * Adds another client of the same deployment, which adds an animal without a status before every so many requests. With 5 ms
 * for a request, 40 requests are 200 ms.
 */
export function withOtherClient(deployment: Deployment, everyNthRequest: number): Deployment {
  const addition = createAddition(deployment);
  return around(deployment, (answer) => {
    let requests = 0;
    return async (request, asMock) => {
      requests += 1;
      if (requests % everyNthRequest === 0) await answer(addition, asMock);
      return answer(request, asMock);
    };
  });
}

/** Adds another client of the same deployment, which adds an animal every so many ms, of each status and of none in turns, while the deployment is asked. */
export function withBusyClient(deployment: Deployment, ms: number): Deployment {
  const additions = [...statuses, undefined].map((status) => createAddition(deployment, status));
  return around(deployment, (answer) => {
    let last = performance.now();
    let added = 0;
    return async (request, asMock) => {
      while (performance.now() - last >= ms) {
        last += ms;
        const addition = additions[added % additions.length];
        added += 1;
        if (addition !== undefined) await answer(addition, asMock);
      }
      return answer(request, asMock);
    };
  });
}

/** Makes the lists of the mock behind a deployment as short as a small page, whatever the limit. */
export function withShortLists(deployment: Deployment, most: number): Deployment {
  const cut =
    (asMock: AskMock): AskMock =>
    async (request) => {
      const reply = await asMock(request);
      if (!isList(request) || reply.status !== 200) return reply;
      const list = readJson(reply.body) as readonly JsonObject[];
      return createReply(200, list.slice(0, most));
    };
  return around(deployment, (answer) => (request, asMock) => answer(request, cut(asMock)));
}

/** Lists the newest animals first, so that new ones push the others off a page. */
export function withNewestFirst(deployment: Deployment): Deployment {
  const behaviour = { ...(deployment.options?.behaviour as object), order: 'newest' } as const;
  return { ...deployment, options: { ...deployment.options, behaviour } };
}
