import type { Behaviour } from '../../common/behaviour/choices.ts';
import type { Reply } from '../../common/http/reply.ts';
import { type Contents, PetStore } from '../api/pet-store.ts';
import { answerRequest } from '../browser/answer-request.ts';
import { createRoutes } from '../browser/create-routes.ts';
import type { Context } from '../pipeline/context.ts';
import { refusePath } from '../pipeline/refusals.ts';
import { runWithSlash } from '../pipeline/run-with-slash.ts';
import { runOperation, takeSteps } from '../pipeline/take-steps.ts';
import type { Outcome } from '../session/fault-effects.ts';
import { ActiveFaults } from '../session/faults.ts';

/** A request of which only the reply matters. */
export interface Asked {
  readonly method: string;
  /** Path and query under the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly at: number;
}

/** A mock that has answered nothing yet. */
export interface World {
  readonly behaviour: Behaviour;
  readonly animals: Contents;
  readonly apiKeys: readonly string[];
}

type Run = (context: Context) => Promise<Outcome>;
const register = (method?: string) => (path: RegExp, run: Run) => ({ method, path, run });
const http = { get: register('GET'), head: register('HEAD'), post: register('POST'), all: register() };
const routes = createRoutes<ReturnType<ReturnType<typeof register>>, Run>(http, '', {
  run: (operation) => (context) => runOperation(context, operation),
  refuse: (step) => (context) => takeSteps(context, step),
  runWithSlash,
});

/** Returns what the mock with a behaviour and some animals answers to a request. */
export async function predict(asked: Asked, { behaviour, animals, apiKeys }: World): Promise<Reply> {
  const { method, headers, body, at } = asked;
  const url = `/v1${asked.path}`;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const session = {
    behaviour,
    settings: { apiKeys, behaviour },
    noteActed: () => {},
    random: Math.random,
    now: () => new Date(at),
    clock: () => at,
    faults: new ActiveFaults({ seed: 1 }),
  };
  const context = {
    method,
    headers,
    path,
    url,
    query: new URLSearchParams(query),
    store: new PetStore(animals),
    session,
    sessionName: 'none',
    basePath: '/v1',
    onClose: () => {},
    readBody: async () => ({ mediaType: headers['content-type'], bytes: body }),
  };
  const route = routes.find((one) => (one.method ?? method) === method && one.path.test(path));
  const run = route?.run ?? ((entered: Context) => takeSteps(entered, refusePath));
  // Only these parts of a context decide about a reply.
  const outcome = await answerRequest(context as unknown as Context, run, (error) => {
    throw error;
  });
  if (!('reply' in outcome)) throw new Error(`The mock has not answered ${method} ${path}.`);
  return outcome.reply;
}
