import * as v from 'valibot';
import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { readMembers } from '../../common/read-members.ts';
import { integer } from '../../common/schemas.ts';
import { defaultAnimals } from '../../fixtures/default-animals.ts';
import type { Difference } from '../choices/choices.ts';
import { serviceContract } from '../contract.ts';
import type { Delay } from '../faults/delay.ts';
import { methodsAt } from '../service/answer.ts';
import { createContents } from '../service/pet-store.ts';
import { type AnimalInput, toPets } from '../session/animals.ts';
import { type Control, createControl } from '../session/control.ts';
import type { Outcome } from '../session/outcome.ts';
import { Secrets } from '../session/secrets.ts';
import { Session } from '../session/session.ts';
import { changeSettings } from '../session/settings.ts';
import { takeCall, toErrorReply } from '../session/take-call.ts';
import { FetchCall } from './fetch-call.ts';

export type { Behaviour, Difference } from '../choices/choices.ts';
export type { AddedFault, Fault, Faults } from '../faults/faults.ts';
export type { AnimalInput, Animals, Int64 } from '../session/animals.ts';
export type { Control } from '../session/control.ts';

/** Options of a mock in a page, as of `startMock`. */
export interface BrowserMockOptions {
  /** Animals to start with. @default the 120 animals of the default profile */
  readonly data?: readonly AnimalInput[];
  /** API keys to accept. @default ['test-key'] */
  readonly apiKeys?: readonly string[];
  /** The choices that differ from the default, or the name of a behaviour. @default 'default' */
  readonly behaviour?: Difference | string;
  /** Seed of faults and behaviours. @default 1 */
  readonly seed?: number;
  /** Fixed time of the mock. @default the real time */
  readonly now?: Date | string;
  /** Delay of every response in ms, or a range such as `'50-200'`. @default 0 */
  readonly latency?: Delay;
}

const names = ['data', 'apiKeys', 'behaviour', 'now', 'latency'] as const;
const any = v.entriesFromList(names, v.optional(v.any()));
const schemas = { ...any, seed: v.optional(integer(0, 2 ** 32 - 1)) };

const JOURNAL_SIZE = 1_000;

/** `http` of MSW 2 or 3. */
export interface Http<Handler> {
  readonly all: (path: RegExp, resolver: Resolver) => Handler;
}

type Resolver = (info: { readonly request: Request }) => Promise<Response>;

/** Methods that need a checked proxy or the generator. */
type ServerMethod = 'violations' | 'clearViolations' | 'expectNoViolations' | 'profiles' | 'fill';

/** The control of the mock, with the handlers for `setupWorker`, `setupServer` or Storybook. */
export interface BrowserMock<Handler> extends Omit<Control, ServerMethod> {
  readonly handlers: readonly Handler[];
}

/**
 * Creates a mock that runs in a page or in a test, without a server.
 * @param http from `msw`
 * @param baseUrl base URL of the app, such as `https://api.example/v1` or `/api/v1`. @default `/v1` at every origin
 * @throws Error with the `code` `invalid_request` for a wrong argument
 */
export function createBrowserMock<Handler>(
  http: Http<Handler>,
  options: BrowserMockOptions = {},
  baseUrl?: string,
): BrowserMock<Handler> {
  if (!http?.all) throw invalidRequest('createBrowserMock needs http of msw: createBrowserMock(http).');
  if (typeof options !== 'object')
    throw invalidRequest(
      'The options of createBrowserMock must be an object. The base URL is the third argument.',
    );
  const service = parseBaseUrl(baseUrl);
  const { data, ...others } = options;
  const { seed = 1, latency, ...changes } = readMembers('The options', others, schemas);
  const usual = { now: null, apiKeys: ['test-key'], behaviour: {} };
  const settings = changeSettings(usual, changes);
  const contents = createContents(
    data === undefined ? defaultAnimals : toPets(data, serviceContract, 'data'),
  );
  const limits = { seed, latency, journal: JOURNAL_SIZE };
  const session = new Session({
    ...limits,
    contract: serviceContract,
    settings,
    profiles: { list: [], create: async () => contents },
    secrets: new Secrets(settings.apiKeys, () => {}),
    start: () => contents,
    receiveViolations: () => false,
    readCheckedUrl: () => undefined,
  });
  // An error of the mock itself is an unhandled rejection of the page.
  const reportFault = (error: unknown) => void Promise.reject(error);
  const toOutcome = (error: unknown): Outcome => ({ wire: 'whole', reply: toErrorReply(error, reportFault) });
  const answer: Resolver = async ({ request }) => {
    const { pathname, search } = new URL(request.url);
    const call = new FetchCall(request, pathname.slice(service.path.length) + search, session);
    const operation = methodsAt(call.path)?.[call.method];
    const outcome = await takeCall(call, operation).catch(toOutcome);
    return call.toResponse(session.leave(call, outcome));
  };
  const paths = ['/v1(?:/.*)?', '/messages'].map((path) => new RegExp(`^${service.pattern}${path}$`));
  const whole = createControl(() => session);
  const { violations, clearViolations, expectNoViolations, profiles, fill, ...control } = whole;
  return { ...control, handlers: paths.map((path) => http.all(path, answer)) };
}

/** Scheme, host and port of a URL. */
const ANY_ORIGIN = '[^/]+//[^/]+';

/**
 * Returns the pattern of the URLs of a service before `/v1`, and the path in them.
 * @param baseUrl undefined for each origin. @throws ApiError `invalid_request`
 */
function parseBaseUrl(baseUrl: string | undefined): { readonly pattern: string; readonly path: string } {
  if (baseUrl === undefined) return { pattern: ANY_ORIGIN, path: '' };
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const { origin, pathname } = URL.parse(baseUrl, location?.href) ?? {};
  const [, path] = /^(.*)\/v1\/?$/.exec(`${pathname}`) ?? [];
  if (path === undefined || !/^https?:/.test(`${origin}`)) {
    const examples = 'such as https://api.example/v1, or in a page /api/v1';
    throw invalidRequest(`The base URL must end with /v1, ${examples}, not ${describeValue(baseUrl)}.`);
  }
  return { pattern: `${origin}${path}`.replaceAll(/[^\w/]/g, '\\$&'), path };
}
