import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
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

/** Changes an animal, or replaces it. */
type ChangeAnimal = (animal: JsonObject, request: DeployedRequest) => ExactJson;

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

/** Answers the requests of some numbers in its own way. The first request that is meant is 1. */
export function answerSome(
  isChosen: (count: number) => boolean,
  createReply: () => DeployedReply,
  isMeant: IsMeant = always,
): CreateBehaviour {
  return () => {
    let count = 0;
    return async (request, asMock) => {
      if (!isMeant(request)) return asMock(request);
      count += 1;
      return isChosen(count) ? createReply() : asMock(request);
    };
  };
}

/** Combines behaviours: each asks the one before it instead of the mock. */
export function combine(behaviours: readonly CreateBehaviour[]): CreateBehaviour {
  return () =>
    behaviours
      .map((createBehaviour) => createBehaviour())
      .reduce(
        (inner, outer) => (request, asMock) =>
          outer(request, (asked) => inner(asked, asMock) as ReturnType<typeof asMock>),
      );
}

/** Changes the JSON of a reply, if it has any. */
export function changeJson<T extends ExactJson>(
  toValue: (value: T, request: DeployedRequest) => ExactJson,
): ChangeReply {
  return ({ body }, request) => {
    const value = readJson(body);
    return value === undefined ? {} : { body: printExactJson(toValue(value as T, request)) };
  };
}

/** Answers the requests that are meant with an Error, when they have the right key. */
export function refuse(isMeant: IsMeant, status = 400): CreateBehaviour {
  return answerWith(isMeant, createError(status));
}

/** Replaces the replies of the mock that are meant, whatever the key. */
export function replace(isMeant: IsAnswered, reply: DeployedReply): CreateBehaviour {
  return change.reply(isMeant, () => reply);
}

/** Behaviours that change what the mock is asked, or what it answers. */
export const change = {
  request(isMeant: IsMeant, change: (request: DeployedRequest) => Partial<DeployedRequest>): CreateBehaviour {
    return answerOtherwise(isMeant, (request, asMock) => asMock({ ...request, ...change(request) }));
  },

  /** The key of the requests that are meant, so that another value of Authorization passes. */
  key(isMeant: IsMeant, accepted: RegExp): CreateBehaviour {
    const isAccepted: IsMeant = ({ headers }) => accepted.test(headers.authorization ?? '');
    return change.request((request) => isMeant(request) && isAccepted(request), withKey);
  },

  /** Parameters of the lists that are picked by their limit and status. */
  query(isMeant: IsListMeant, parameters: QueryParameters): CreateBehaviour {
    return change.request(isListOf(isMeant), ({ query }) => ({ query: withParameters(query, parameters) }));
  },

  id(toId: (id: string) => string): CreateBehaviour {
    return change.request(isFetch, (request) => ({
      path: `/pets/${encodeURIComponent(toId(idOf(request)))}`,
    }));
  },

  body(toBody: (body: string) => string): CreateBehaviour {
    return change.request(isCreation, ({ body }) => ({ body: toBody(body) }));
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
    return change.reply((request, { status }) => status < 300 && isMeant(request), changeJson(toValue));
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

  /** The replies that are errors. */
  error(toReply: ChangeReply): CreateBehaviour {
    return change.reply((_, { status }) => status >= 400, toReply);
  },
};

/** Keeps lists without limit in a cache, for ever unless it is said for how many milliseconds. */
export function cacheLists(
  headers: DeployedReply['headers'],
  ms = Number.POSITIVE_INFINITY,
): CreateBehaviour {
  return () => {
    const kept = new Map<string, readonly [reply: DeployedReply, at: number]>();
    return async (request, asMock) => {
      if (!isList(request) || !hasKey(request) || request.query.has('limit')) return asMock(request);
      const [known, at = 0] = kept.get(`${request.query}`) ?? [];
      if (known && performance.now() - at < ms)
        return { ...known, headers: { ...known.headers, ...headers } };
      const reply = await asMock(request);
      kept.set(`${request.query}`, [reply, performance.now()]);
      return reply;
    };
  };
}

/** Each call waits for the next one. A single call goes on when all that was sent by then has been read. */
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
