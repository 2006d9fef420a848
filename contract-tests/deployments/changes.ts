import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExactJson,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import type { Answer, CreateAnswer } from './deployment.ts';
import type { DeployedReply, DeployedRequest, IsAnswered, IsListMeant, IsMeant } from './messages.ts';
import {
  always,
  hasKey,
  idOf,
  isCreation,
  isFetch,
  isList,
  isListOf,
  sentBy,
  withKey,
  withParameters,
} from './messages.ts';
import { animalOf, createError, createReply } from './replies.ts';
import { readJson } from './values.ts';

/** An answer that is not the mock's: a reply, the status of an Error, 'drop' to cut the connection, or a function. */
type OtherAnswer = DeployedReply | number | 'drop' | Answer;

/** Changes a reply of the mock. */
export type ChangeReply = (reply: DeployedReply, request: DeployedRequest) => Partial<DeployedReply>;

/** Changes a value, or replaces it. */
type ToValue<T> = (value: T, request: DeployedRequest) => ExactJson;

export function answerOtherwise(isMeant: IsMeant, answer: OtherAnswer): CreateAnswer {
  const reply = typeof answer === 'number' ? createError(answer) : answer;
  const behave = typeof reply === 'function' ? reply : async () => reply;
  return () => async (request, asMock) => (isMeant(request) ? behave(request, asMock) : asMock(request));
}

/** Gives another answer to the requests that have the right key. */
export function answerWith(isMeant: IsMeant, answer: OtherAnswer = 400): CreateAnswer {
  return answerOtherwise((request) => isMeant(request) && hasKey(request), answer);
}

/** Gives another answer to requests by their number. The first request that is meant is 1. */
export function answerSome(isChosen: (count: number) => boolean, answer: OtherAnswer, isMeant = always) {
  return (): Answer => {
    let count = 0;
    return answerOtherwise((request) => isMeant(request) && isChosen(++count), answer)();
  };
}

/** Replaces replies of the mock, whatever the key. */
export function replace(isMeant: IsAnswered, reply: DeployedReply | number): CreateAnswer {
  return change.reply(isMeant, () => (typeof reply === 'number' ? createError(reply) : reply));
}

/** Combines answers: each asks the one before it instead of the mock. */
export function combine(answers: readonly CreateAnswer[]): CreateAnswer {
  const ask = (inner: Answer, outer: Answer): Answer => {
    return (request, asMock) => outer(request, (asked) => inner(asked, asMock) as ReturnType<typeof asMock>);
  };
  return () => answers.map((createAnswer) => createAnswer()).reduce(ask);
}

/** Changes the JSON of a reply, if it has any. */
export function changeJson<T extends ExactJson>(toValue: ToValue<T>): ChangeReply {
  return ({ body }, request) => {
    const value = readJson(body);
    return value === undefined ? {} : { body: printExactJson(toValue(value as T, request)) };
  };
}

/** Answers that change what the mock is asked, or what it answers. */
export const change = {
  request(isMeant: IsMeant, toRequest: (request: DeployedRequest) => Partial<DeployedRequest>) {
    return answerOtherwise(isMeant, (request, asMock) => asMock({ ...request, ...toRequest(request) }));
  },

  /** Accepts another value of Authorization. */
  key(isMeant: IsMeant, accepted: RegExp): CreateAnswer {
    const isAccepted: IsMeant = ({ headers }) => accepted.test(headers.authorization ?? '');
    return change.request((request) => isMeant(request) && isAccepted(request), withKey);
  },

  query(isMeant: IsListMeant, parameters: Parameters<typeof withParameters>[1]): CreateAnswer {
    return change.request(isListOf(isMeant), ({ query }) => ({ query: withParameters(query, parameters) }));
  },

  body: (toBody: (body: string) => string): CreateAnswer =>
    change.request(isCreation, ({ body }) => ({ body: toBody(body) })),

  sent(toSent: (sent: JsonObject) => JsonObject): CreateAnswer {
    return change.request(
      (request) => isCreation(request) && Object.keys(sentBy(request)).length > 0,
      (request) => ({ body: printExactJson(toSent(sentBy(request))) }),
    );
  },

  reply(isMeant: IsAnswered, toReply: ChangeReply): CreateAnswer {
    return () => async (request, asMock) => {
      const reply = await asMock(request);
      return isMeant(request, reply) ? { ...reply, ...toReply(reply, request) } : reply;
    };
  },

  /** Changes the JSON of successful replies. */
  json<T extends ExactJson>(isMeant: IsMeant, toValue: ToValue<T>) {
    return change.reply((request, { status }) => status < 300 && isMeant(request), changeJson(toValue));
  },

  list: (toList: ToValue<readonly JsonObject[]>): CreateAnswer => change.json(isList, toList),

  listed: (toAnimal: ToValue<JsonObject>): CreateAnswer =>
    change.list((list, request) => list.map((animal) => toAnimal(animal, request))),

  created: (toAnimal: ToValue<JsonObject>): CreateAnswer => change.json(isCreation, toAnimal),

  error: (toReply: ChangeReply): CreateAnswer => change.reply((_, { status }) => status >= 400, toReply),
};

/** Changes every second reply that is meant, as where two versions of a service answer in turns. */
export function everySecond(isMeant: IsAnswered, toReply: ChangeReply): CreateAnswer {
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

/** Changes the animal in a reply. */
export const changeAnimal = (toAnimal: (animal: JsonObject) => JsonObject) =>
  changeJson<JsonObject>(toAnimal);

/** Changes each animal of a list. */
export const changeListed = (toAnimal: (animal: JsonObject) => JsonObject) =>
  changeJson<readonly JsonObject[]>((list) => list.map(toAnimal));

/** Lists new animals only once so many lists were asked for since: a list that lags behind. */
export function listLate(lists: number): CreateAnswer {
  return () => {
    const waiting = new Map<ExactJson | undefined, number>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) waiting.set(animalOf(reply).id, lists);
      if (!isList(request) || reply.status !== 200) return reply;
      const all = parseExactJson(reply.body) as readonly JsonObject[];
      const shown = all.filter(({ id }) => (waiting.get(id) ?? 0) <= 0);
      for (const [id, left] of waiting) waiting.set(id, left - 1);
      return createReply(200, shown);
    };
  };
}

/** Keeps lists without limit in a cache. */
export function cacheLists(
  headers: DeployedReply['headers'],
  ms = Infinity,
  isMeant: IsListMeant = (limit) => limit === null,
): CreateAnswer {
  return () => {
    const kept = new Map<string, readonly [reply: DeployedReply, at: number]>();
    return async (request, asMock) => {
      if (!isListOf(isMeant)(request) || !hasKey(request)) return asMock(request);
      const [last, at = 0] = kept.get(`${request.query}`) ?? [];
      if (last && performance.now() - at < ms) return { ...last, headers: { ...last.headers, ...headers } };
      const reply = await asMock(request);
      kept.set(`${request.query}`, [reply, performance.now()]);
      return reply;
    };
  };
}

/** Keeps every list in a cache, for each query. @param toHeaders returns what the cache says of a list of this age in seconds */
export function cacheEveryList(
  ms: number,
  toHeaders: (age: number) => DeployedReply['headers'],
): CreateAnswer {
  return () => {
    const kept = new Map<string, readonly [reply: DeployedReply, at: number]>();
    return async (request, asMock) => {
      if (!isList(request) || !hasKey(request)) return asMock(request);
      const now = performance.now();
      const [last, at = 0] = kept.get(`${request.query}`) ?? [];
      const isKept = last !== undefined && now - at < ms;
      const reply = isKept ? last : await asMock(request);
      if (!isKept) kept.set(`${request.query}`, [reply, now]);
      const age = isKept ? Math.floor((now - at) / 1000) : 0;
      return { ...reply, headers: { ...reply.headers, ...toHeaders(age) } };
    };
  };
}

/** Lists animals some time after they were added, in lists that are meant: they follow, or come from a replica. */
export function listBehind(isMeant: IsMeant, ms: number): CreateAnswer {
  return () => {
    const addedAt = new Map<ExactJson | undefined, number>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) addedAt.set(animalOf(reply).id, performance.now());
      if (!isList(request) || reply.status !== 200 || !isMeant(request)) return reply;
      // A replica fills its page with older animals.
      const { query } = request;
      const whole = await asMock({ ...request, query: withParameters(query, { limit: '100' }) });
      const all = parseExactJson(whole.body) as readonly JsonObject[];
      const isShown = ({ id }: JsonObject) => performance.now() - (addedAt.get(id) ?? -Infinity) >= ms;
      return createReply(200, all.filter(isShown).slice(0, Number(query.get('limit') ?? 20)));
    };
  };
}

/** Finds a new animal by its id some time after it was added: replicas follow. */
export function findBehind(ms: number): CreateAnswer {
  return () => {
    const addedAt = new Map<string, number>();
    return async (request, asMock) => {
      const reply = await asMock(request);
      if (reply.status === 201) addedAt.set(`${animalOf(reply).id}`, performance.now());
      if (!isFetch(request) || reply.status !== 200) return reply;
      const isFound = performance.now() - (addedAt.get(idOf(request)) ?? -Infinity) >= ms;
      return isFound ? reply : createError(404);
    };
  };
}

type Mix = (request: DeployedRequest, other: DeployedRequest) => Partial<DeployedRequest>;

/** Mixes up pairs of requests that are open at once: each gets something of the other. */
export function mixUp(isMeant: IsMeant, mix: Mix): CreateAnswer {
  return () => {
    let first: { request: DeployedRequest; meet: (other: DeployedRequest) => void } | undefined;
    return async (request, asMock) => {
      if (!isMeant(request)) return asMock(request);
      let other = first?.request;
      first?.meet(request);
      first = undefined;
      if (other === undefined) {
        const { promise, resolve: meet } = Promise.withResolvers<DeployedRequest>();
        const own = { request, meet };
        first = own;
        other = await Promise.race([promise, settle()]);
        if (first === own) first = undefined;
      }
      return asMock(other === undefined ? request : { ...request, ...mix(request, other) });
    };
  };
}

const SETTLE_MS = 5;
const SETTLE_TURNS = 10;

/** The client is in this process: after a timer, some turns of the loop read all that it sent. */
async function settle(): Promise<undefined> {
  await delay(SETTLE_MS);
  for (let turn = 0; turn < SETTLE_TURNS; turn += 1) await nextTurn();
}
