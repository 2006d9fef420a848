import { isGetPetRemoved, methodsAt, nothingAt } from '../service/answer.ts';
import { methodNotAllowed } from '../service/refusals.ts';
import type { Ask, World } from '../service/types.ts';
import { AUTHENTICATION, type Choice, ENDPOINTS, ERRORS, mark } from './choice.ts';

/** Returns the path without the slash at its end, if it is one of animals. */
function findWithoutSlash({ path }: Ask, world: World): string | undefined {
  const isOfPets = path === '/v1/pets/';
  const isOfPet = /^\/v1\/pets\/[^/]+\/$/.test(path) && !isGetPetRemoved(world);
  return isOfPets || isOfPet ? path.slice(0, -1) : undefined;
}

export const trailingSlash = {
  about: 'A slash at the end of a path, such as `/v1/pets/`.',
  silentAt: ENDPOINTS,
  values: [
    { value: 'notFound', does: 'returns 404' },
    {
      value: 'same',
      does: 'answers as without it',
      request: (ask, world) => {
        const path = findWithoutSlash(ask, world);
        return path === undefined ? ask : { ...ask, path, operation: methodsAt(path)?.[ask.method] };
      },
    },
    {
      value: 'redirect',
      does: 'redirects to the path without it with 307',
      request: (ask, world) => {
        const path = findWithoutSlash(ask, world);
        return path === undefined ? ask : mark(ask, 'redirect', [path + ask.search]);
      },
      // Source: RFC 9110 section 15.4.8
      reply: (answer, { marks: { redirect = [] }, basePath }) => {
        const [target] = redirect;
        if (target === undefined || answer.status === 401) return answer;
        return {
          status: 307,
          headers: { Location: basePath + target.slice('/v1'.length), 'Content-Length': 0 },
        };
      },
    },
  ],
} as const satisfies Choice;

export const head = {
  about: 'HEAD at `/v1/pets` and `/v1/pets/{petId}`.',
  silentAt: ENDPOINTS,
  values: [
    { value: 200, does: 'answers as to GET, without the body' },
    {
      value: 405,
      does: 'returns 405',
      request: (ask) => (ask.method === 'HEAD' ? { ...ask, operation: undefined } : ask),
      reply: (answer, { method }) => {
        const { Allow } = answer.headers;
        if (Allow === undefined) return answer;
        const allowed = String(Allow).split(', ');
        throw methodNotAllowed(method, allowed.filter((one) => one !== 'HEAD').join(', '));
      },
    },
  ],
} as const satisfies Choice;

export const otherMethods = {
  about: 'A method that a path does not have, such as DELETE at `/v1/pets`.',
  silentAt: ENDPOINTS,
  values: [
    { value: 405, does: 'returns 405' },
    {
      value: 404,
      does: 'returns 404',
      reply: (answer, { method, path }) => {
        // Whether there is HEAD is another choice.
        if (answer.status !== 405 || method === 'HEAD') return answer;
        throw nothingAt(path);
      },
    },
  ],
} as const satisfies Choice;

export const unknownPathWithoutKey = {
  about: 'An unknown path without a valid key.',
  silentAt: AUTHENTICATION,
  values: [
    { value: 401, does: 'returns 401' },
    {
      value: 404,
      does: 'returns 404 before it looks at the key',
      reply: (answer, { path, marks }) => {
        const isUnknown = methodsAt(path) === undefined && marks.redirect === undefined;
        if (answer.status !== 401 || !isUnknown) return answer;
        throw nothingAt(path);
      },
    },
  ],
} as const satisfies Choice;

const PAGE = '<!doctype html>\n<title>404 Not Found</title>\n<h1>404 Not Found</h1>\n';
const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

export const unknownPaths = {
  about: 'Body of the 404 at an unknown path.',
  silentAt: ERRORS,
  values: [
    { value: 'error', does: 'returns an Error' },
    {
      value: 'html',
      does: 'returns an HTML page',
      reply: (answer, { operation }) => {
        const isUnknown = answer.error?.kind === 'path' && operation === undefined;
        return isUnknown ? { ...answer, headers: HTML, text: PAGE } : answer;
      },
    },
  ],
} as const satisfies Choice;
