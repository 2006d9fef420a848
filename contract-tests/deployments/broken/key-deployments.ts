import { type Accepted, change, replace } from '../changes.ts';
import type { Deployment } from '../deployment.ts';
import { createError } from '../replies.ts';
import {
  always,
  answered,
  hasHeader,
  type IsMeant,
  isCreation,
  isFetch,
  isList,
  withKey,
} from '../requests.ts';
import { broken } from '../rows.ts';

/** What an operation does, and which requests are of it. */
const operations: Readonly<Record<string, readonly [string, IsMeant]>> = {
  'list-pets': ['lists', isList],
  'create-pet': ['adds an animal', isCreation],
  'get-pet': ['answers an animal', isFetch],
};

/** The key as the password of Basic. */
const isPassword: Accepted = {
  test: (value) => /^.*:test-key$/.test(Buffer.from(value.split(' ')[1] ?? '', 'base64').toString()),
};

const everywhere = (clause: string) => Object.keys(operations).map((id) => `${id}/${clause}`);

const ofCreations = ['create-pet/key-before-body', 'create-pet/unauthorized-adds-nothing'];

/** Deployments that let requests pass without the key, or refuse them in a wrong way. */
export const keyDeployments: readonly Deployment[] = [
  ...Object.entries(operations).flatMap(([id, [does, isMeant]]) => {
    const besides = id === 'create-pet' ? ofCreations : [];
    const refusals = ['missing-key', 'invalid-key', 'bearer-form'].map((clause) => `${id}/${clause}`);
    return [
      ...broken([`${id}/missing-key`, ...besides], { [`${does} without a key`]: change.key(isMeant, /^$/) }),
      ...broken([`${id}/invalid-key`, ...besides], {
        [`${does} with any key`]: change.key(isMeant, /^Bearer ./),
      }),
      ...broken(`${id}/bearer-form`, { [`${does} for the bare key`]: change.key(isMeant, /^test-key$/) }),
      ...broken([...refusals, ...besides.slice(0, 1)], {
        [`${does} and answers 403 without the right key`]: replace(answered(401, isMeant), createError(403)),
      }),
    ];
  }),
  ...broken(everywhere('missing-key'), { 'accepts an empty key': change.key(always, /^Bearer ?$/) }),
  ...broken(everywhere('invalid-key'), {
    'accepts a longer key': change.key(always, /^Bearer test-key\w/),
    'accepts another word behind the key': change.key(always, /^Bearer test-key /),
  }),
  ...broken(everywhere('bearer-form'), {
    'accepts the key for the password of Basic': change.key(always, isPassword),
    'accepts the key with any scheme': change.key(always, /^\w+ test-key$/),
    'accepts the key in X-API-Key': change.request(
      ({ headers }) => headers['x-api-key'] === 'test-key',
      withKey,
    ),
  }),
  ...broken('advised/scheme-case', {
    'wants the scheme to the letter': replace(hasHeader('authorization', /^bearer/), createError(401)),
  }),
];
