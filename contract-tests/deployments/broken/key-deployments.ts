import {
  acceptKey,
  changeErrorReply,
  changeRequest,
  createError,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
} from '../changes.ts';
import type { Deployment } from '../deployment.ts';

interface Operation {
  readonly id: string;
  /** What it does, to be read after "a deployment that". */
  readonly does: string;
  readonly isMeant: IsMeant;
  /** What it breaks besides when nothing, or when a wrong key, lets a request pass. */
  readonly besides: { readonly missing: readonly string[]; readonly invalid: readonly string[] };
}

const none = { missing: [], invalid: [] };

const operations: readonly Operation[] = [
  { id: 'list-pets', does: 'lists', isMeant: isList, besides: none },
  {
    id: 'create-pet',
    does: 'adds an animal',
    isMeant: isCreation,
    besides: {
      missing: ['create-pet/key-before-body', 'create-pet/unauthorized-adds-nothing'],
      invalid: ['create-pet/key-before-body', 'create-pet/unauthorized-adds-nothing'],
    },
  },
  { id: 'get-pet', does: 'answers an animal', isMeant: isFetch, besides: none },
];

type IsAccepted = (authorization: string | undefined) => boolean;

/** Wrong keys that may pass, by how the deployment compares them. */
const lookalikes: Readonly<Record<string, IsAccepted>> = {
  'with a longer key': (value) => value?.startsWith('Bearer test-key') === true,
  'with the beginning of the key': (value) =>
    /^Bearer ./.test(value ?? '') && 'Bearer test-key'.startsWith(value ?? ''),
  'with the key in another case': (value) => value?.toLowerCase() === 'bearer test-key',
  'with any key of the right length': (value) => /^Bearer .{8}$/.test(value ?? ''),
  'with a key that differs in its last character': (value) => /^Bearer test-ke.$/.test(value ?? ''),
  'with the key without its hyphens': (value) => value === 'Bearer testkey',
  'with a wildcard for a key': (value) => value === 'Bearer %',
  'with a key that ends a statement of SQL': (value) => value?.includes("' OR '") === true,
  'with a key that differs in its middle': (value) => /^Bearer test.key$/.test(value ?? ''),
  'with another word behind the key': (value) => value?.startsWith('Bearer test-key ') === true,
  'with more behind the key and a comma': (value) => value?.startsWith('Bearer test-key,') === true,
  'with a word that every object knows': (value) => value === 'Bearer constructor',
  'with the word undefined for a key': (value) => value === 'Bearer undefined',
  'with a word before the key': (value) => /^Bearer \S+ test-key$/.test(value ?? ''),
  'with a key that ends like it': (value) => /^Bearer .*test-key$/.test(value ?? ''),
};

/** Forms in which the key may pass. */
const forms: Readonly<Record<string, IsAccepted>> = {
  'for the password of Basic': (value) =>
    /^.*:test-key$/.test(Buffer.from(value?.split(' ')[1] ?? '', 'base64').toString()),
  'for another scheme that begins like it': (value) => /^Bearer\w+ test-key$/.test(value ?? ''),
  'for the bare key': (value) => value === 'test-key',
  'for Basic': (value) => value?.startsWith('Basic ') === true,
  'for the key with any scheme': (value) => /^\w+ test-key$/.test(value ?? ''),
  'for the key without a space before it': (value) => value === 'Bearertest-key',
};

function createDeployments({ id, does, isMeant, besides }: Operation): Deployment[] {
  const of = (table: Readonly<Record<string, IsAccepted>>, clause: string) =>
    Object.entries(table).map(([how, isAccepted]) => ({
      name: `${does} ${how}`,
      breaks: [`${id}/${clause}`],
      createBehaviour: acceptKey(isMeant, isAccepted),
    }));
  const refusals = ['missing-key', 'invalid-key', 'bearer-form'].map((name) => `${id}/${name}`);
  const keyFirst = id === 'create-pet' ? ['create-pet/key-before-body'] : [];
  return [
    {
      name: `${does} without a key`,
      breaks: [`${id}/missing-key`, ...besides.missing],
      createBehaviour: acceptKey(isMeant, (value) => value === undefined),
    },
    {
      name: `${does} with an empty key`,
      breaks: [`${id}/missing-key`],
      createBehaviour: acceptKey(isMeant, (value) => /^Bearer ?$/.test(value ?? '')),
    },
    {
      name: `${does} with any key`,
      breaks: [`${id}/invalid-key`, ...besides.invalid],
      createBehaviour: acceptKey(isMeant, (value) => /^Bearer ./.test(value ?? '')),
    },
    ...of(lookalikes, 'invalid-key'),
    ...of(forms, 'bearer-form'),
    {
      name: `${does} with the key in X-API-Key and without Authorization`,
      breaks: [`${id}/bearer-form`],
      createBehaviour: changeRequest(
        (request) =>
          isMeant(request) &&
          request.headers['x-api-key'] === 'test-key' &&
          request.headers.authorization === undefined,
        ({ headers }) => ({ headers: { ...headers, authorization: 'Bearer test-key' } }),
      ),
    },
    {
      name: `${does} with the key in X-API-Key`,
      breaks: [`${id}/bearer-form`],
      createBehaviour: changeRequest(
        (request) => isMeant(request) && request.headers['x-api-key'] === 'test-key',
        ({ headers }) => ({ headers: { ...headers, authorization: 'Bearer test-key' } }),
      ),
    },
    {
      name: `${does} and answers 403 without the right key`,
      breaks: [...refusals, ...keyFirst],
      createBehaviour: changeErrorReply(
        () => createError(403),
        (request, { status }) => isMeant(request) && status === 401,
      ),
    },
  ];
}

/** Deployments that let an operation pass without its key, or refuse it in a wrong way. */
export const keyDeployments: readonly Deployment[] = operations.flatMap(createDeployments);
