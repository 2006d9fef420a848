import type { Pet } from '../../common/json/pet.ts';
import {
  AUTHENTICATION,
  type Choice,
  CREATE,
  changingHeaders,
  ENDPOINTS,
  GET,
  LIST,
  withoutHeaders,
} from './choice.ts';

export const charset = {
  about: 'The parameter charset of Content-Type.',
  silentAt: LIST,
  values: [
    { value: 'absent', does: 'leaves it out' },
    {
      value: 'utf-8',
      does: 'sends charset=utf-8',
      ...changingHeaders(({ headers, text, value, error }) => {
        const isJson = text === undefined && (value !== undefined || error !== undefined);
        return isJson ? { ...headers, 'Content-Type': 'application/json; charset=utf-8' } : undefined;
      }),
    },
  ],
} as const satisfies Choice;

export const challenge = {
  about: 'WWW-Authenticate on a 401.',
  silentAt: AUTHENTICATION,
  values: [
    { value: 'present', does: 'sends it' },
    { value: 'absent', does: 'leaves it out', ...withoutHeaders('WWW-Authenticate') },
  ],
} as const satisfies Choice;

export const location = {
  about: 'Location on a 201.',
  silentAt: CREATE,
  values: [
    { value: 'absent', does: 'leaves it out' },
    {
      value: 'present',
      does: 'sends it',
      ...changingHeaders(({ status, headers, value }, { basePath }) =>
        status === 201 ? { ...headers, Location: `${basePath}/pets/${(value as Pet).id}` } : undefined,
      ),
    },
  ],
} as const satisfies Choice;

/** Any day in the past, since the specification names none. Source: RFC 9745 */
const DEPRECATION = '@1704067200';

export const deprecationHeaders = {
  about: 'Headers of GET /pets/{petId} that show its deprecation.',
  silentAt: GET,
  values: [
    { value: 'sunset', does: 'sends Sunset and Link' },
    {
      value: 'deprecation',
      does: 'sends Deprecation, Sunset and Link',
      ...changingHeaders(({ headers }) =>
        headers.Sunset === undefined ? undefined : { Deprecation: DEPRECATION, ...headers },
      ),
    },
    { value: 'none', does: 'sends none', ...withoutHeaders('Sunset', 'Link') },
  ],
} as const satisfies Choice;

export const allow = {
  about: 'Allow on a 405.',
  silentAt: ENDPOINTS,
  values: [
    { value: 'present', does: 'sends it' },
    { value: 'absent', does: 'leaves it out', ...withoutHeaders('Allow') },
  ],
} as const satisfies Choice;
