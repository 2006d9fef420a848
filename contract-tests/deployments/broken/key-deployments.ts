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
import { broken, firstOf } from '../rows.ts';

/** What an operation does, and which requests are of it. */
export const operations: Readonly<Record<string, readonly [string, IsMeant]>> = {
  'list-pets': ['lists', isList],
  'create-pet': ['adds an animal', isCreation],
  'get-pet': ['answers an animal', isFetch],
};

/** Values of Authorization that may pass everywhere, by the clause that each breaks; see `firstOf`. */
export const accepted: Readonly<Record<string, Readonly<Record<string, Accepted>>>> = {
  'missing-key': { 'an empty key': /^Bearer ?$/ },
  'invalid-key': {
    'a longer key': /^Bearer test-key\w/,
    'another word behind the key': /^Bearer test-key /,
    'the beginning of the key': /^Bearer te?s?t?-?k?e?$/,
    'the key in another case': /^Bearer test-key$/i,
    'a key that differs in its first character': /^Bearer .est-key$/,
    'a key that differs in its last character': /^Bearer test-ke.$/,
    'a key that differs in its middle': /^Bearer test.key$/,
    'the key without its hyphens': /^Bearer testkey$/,
    'a wildcard for a key': /^Bearer %$/,
    'a key that ends a statement of SQL': /' OR '/,
    'more behind the key and a comma': /^Bearer test-key,/,
    'a word that every object knows': /^Bearer constructor$/,
    'the word undefined for a key': /^Bearer undefined$/,
    'a word before the key': /^Bearer \S+ test-key$/,
    'a key that ends like it': /^Bearer \S+test-key$/,
  },
  'bearer-form': {
    'the key for the password of Basic': {
      test: (value) => /^.*:test-key$/.test(Buffer.from(value.split(' ')[1] ?? '', 'base64').toString()),
    },
    'the key with any scheme': /^\w+ test-key$/,
    'the key with another scheme that begins like it': /^Bearer\w+ test-key$/,
    'Basic for the scheme': /^Basic /,
    'the key without a space before it': /^Bearertest-key$/,
  },
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
  ...Object.entries(accepted).flatMap(([clause, table]) =>
    broken(
      everywhere(clause),
      firstOf(1, table, (value) => change.key(always, value), 'accepts '),
    ),
  ),
  ...broken(everywhere('bearer-form'), {
    'accepts the key in X-API-Key': change.request(
      ({ headers }) => headers['x-api-key'] === 'test-key',
      withKey,
    ),
  }),
  ...broken('advised/scheme-case', {
    'wants the scheme to the letter': replace(hasHeader('authorization', /^bearer/), createError(401)),
  }),
];
