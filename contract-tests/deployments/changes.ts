import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, DeployedRequest } from './deployment.ts';
import { readJson } from './members.ts';
import { createError } from './replies.ts';
import {
  always,
  hasKey,
  type IsAnswered,
  type IsListMeant,
  type IsMeant,
  idOf,
  isCreation,
  isFetch,
  isList,
  isListOf,
  type QueryParameters,
  withKey,
  withParameters,
} from './requests.ts';

/** Changes a reply of the mock. */
export type ChangeReply = (reply: DeployedReply, request: DeployedRequest) => Partial<DeployedReply>;

/** Changes an animal, or puts something else in its place. */
export type ChangeAnimal = (animal: JsonObject, request: DeployedRequest) => ExactJson;

/** Tests a value of Authorization; a missing one is an empty text. */
export type Accepted = { readonly test: (authorization: string) => boolean };

/** Answers the requests that are meant otherwise than the mock. */
export function answerOtherwise(isMeant: IsMeant, answer: Behaviour): CreateBehaviour {
  return () => async (request, asMock) => (isMeant(request) ? answer(request, asMock) : asMock(request));
}

/** Gives one answer to all requests that are meant and have the right key. */
export function answerWith(isMeant: IsMeant, reply: DeployedReply | 'drop'): CreateBehaviour {
  return answerOtherwise(
    (request) => isMeant(request) && hasKey(request),
    async () => reply,
  );
}

/** Answers the requests that are meant with an Error, when they have the right key. */
export function refuse(isMeant: IsMeant, status = 400): CreateBehaviour {
  return answerWith(isMeant, createError(status));
}

/** Gives one answer in the place of the replies of the mock that are meant, whatever the key. */
export function replace(isMeant: IsAnswered, reply: DeployedReply): CreateBehaviour {
  return change.reply(isMeant, () => reply);
}

/** Behaviours that change what the mock is asked, or what it answers. */
export const change = {
  request(isMeant: IsMeant, change: (request: DeployedRequest) => Partial<DeployedRequest>): CreateBehaviour {
    return answerOtherwise(isMeant, (request, asMock) => asMock({ ...request, ...change(request) }));
  },

  /** The key of the requests that are meant, so that another value of Authorization passes. */
  key(isMeant: IsMeant, accepted: Accepted): CreateBehaviour {
    const isAccepted: IsMeant = ({ headers }) => accepted.test(headers.authorization ?? '');
    return change.request((request) => isMeant(request) && isAccepted(request), withKey);
  },

  /** Parameters of the lists that are picked by their limit and status. */
  query(isMeant: IsListMeant, parameters: QueryParameters): CreateBehaviour {
    return change.request(isListOf(isMeant), ({ query }) => ({ query: withParameters(query, parameters) }));
  },

  id(change: (id: string) => string): CreateBehaviour {
    const toPath = (request: DeployedRequest) => `/pets/${encodeURIComponent(change(idOf(request)))}`;
    return answerOtherwise(isFetch, (request, asMock) => asMock({ ...request, path: toPath(request) }));
  },

  body(change: (body: string) => string): CreateBehaviour {
    return answerOtherwise(isCreation, (request, asMock) =>
      asMock({ ...request, body: change(request.body) }),
    );
  },

  sent(toSent: (sent: JsonObject) => JsonObject): CreateBehaviour {
    return change.body((body) => {
      const sent = readJson(body);
      return sent !== undefined && isJsonObject(sent) ? printExactJson(toSent(sent)) : body;
    });
  },

  reply(isMeant: IsAnswered, change: ChangeReply): CreateBehaviour {
    return () => async (request, asMock) => {
      const reply = await asMock(request);
      return isMeant(request, reply) ? { ...reply, ...change(reply, request) } : reply;
    };
  },

  /** The headers of every reply, by lower-case name. */
  headers(more: DeployedReply['headers']): CreateBehaviour {
    return change.reply(always, ({ headers }) => ({ headers: { ...headers, ...more } }));
  },

  /** The JSON of successful replies to the requests that are meant. */
  json<T extends ExactJson>(
    isMeant: IsMeant,
    toValue: (value: T, request: DeployedRequest) => ExactJson,
  ): CreateBehaviour {
    return change.reply(
      (request, { status }) => status < 300 && isMeant(request),
      ({ body }, request) => ({ body: printExactJson(toValue(parseExactJson(body) as T, request)) }),
    );
  },

  list(toList: (list: readonly JsonObject[], request: DeployedRequest) => ExactJson): CreateBehaviour {
    return change.json(isList, toList);
  },

  listed(toAnimal: ChangeAnimal): CreateBehaviour {
    return change.list((list, request) => list.map((animal) => toAnimal(animal, request)));
  },

  created(toAnimal: ChangeAnimal): CreateBehaviour {
    return change.json(isCreation, toAnimal);
  },

  /** The replies that are errors, all or those that are meant. */
  errorReply(toReply: ChangeReply, isMeant: IsAnswered = always): CreateBehaviour {
    return change.reply((request, reply) => reply.status >= 400 && isMeant(request, reply), toReply);
  },

  /** The Error of errors, of all or of those that are meant. */
  error(toError: (error: JsonObject) => ExactJson, isMeant?: IsAnswered): CreateBehaviour {
    const toBody = (body: DeployedReply['body']) =>
      printExactJson(toError(parseExactJson(body) as JsonObject));
    return change.errorReply(({ body }) => ({ body: toBody(body) }), isMeant);
  },
};

/** Keeps lists without limit in a cache, for ever unless it is said for how many milliseconds. */
export function cacheLists(
  headers: DeployedReply['headers'],
  ms = Number.POSITIVE_INFINITY,
): CreateBehaviour {
  return () => {
    const kept = new Map<string, { readonly reply: DeployedReply; readonly at: number }>();
    return async (request, asMock) => {
      if (!isList(request) || !hasKey(request) || request.query.has('limit')) return asMock(request);
      const known = kept.get(`${request.query}`);
      if (known !== undefined && performance.now() - known.at < ms) {
        return { ...known.reply, headers: { ...known.reply.headers, ...headers } };
      }
      const reply = await asMock(request);
      kept.set(`${request.query}`, { reply, at: performance.now() });
      return reply;
    };
  };
}

/**
 * Creates what waits for requests that come at once: each call waits for the next one. A call that stays alone goes on
 * when all that was sent by then has been read, however slow the machine is.
 */
export function createMeeting(): () => Promise<void> {
  let waiting: PromiseWithResolvers<void> | undefined;
  return async () => {
    const other = waiting;
    waiting = undefined;
    if (other !== undefined) return other.resolve();
    const own = Promise.withResolvers<void>();
    waiting = own;
    await Promise.race([own.promise, settle()]);
    if (waiting === own) waiting = undefined;
  };
}

/** The client is in this process: after a timer, which a busy loop may delay, some turns of the loop read all it has sent. */
async function settle(): Promise<void> {
  await delay(5);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}
