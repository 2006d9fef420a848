import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { decodeUtf8, isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import type { ServiceContract } from '../service/contract.ts';
import { parseBody } from '../service/read-request.ts';
import type { Ask, Hook } from '../service/types.ts';
import { type Choice, CREATE, NEW_PET, refusing } from './choice.ts';
import { splitMembers } from './split-members.ts';

/** Returns the names of members that NewPet does not have. */
function listOthers(body: JsonObject, { members }: ServiceContract): string[] {
  return Object.keys(body).filter((name) => !members.some((one) => one.isGiven && one.name === name));
}

export const unknownMembers = {
  about: 'Members of a body that NewPet does not have.',
  silentAt: CREATE,
  values: [
    { value: 'ignore', does: 'ignores them' },
    {
      value: 'refuse',
      does: 'refuses them with 400',
      ...refusing('unknownMember', ({ body, world }) => {
        const others = listOthers(body, world.contract);
        return others.length > 0 && `there are no members ${others.map(describeValue).join(', ')}`;
      }),
    },
    {
      value: 'keep',
      does: 'stores and returns them, except an id',
      pet: (pet, body, { contract }) => {
        const others = listOthers(body, contract).filter((name) => name !== 'id');
        return { ...pet, ...Object.fromEntries(others.map((name) => [name, body[name]])) };
      },
    },
  ],
} as const satisfies Choice;

/** Returns the names and the sources of the members of a body, also of those that it has twice; none for another body. */
function readMembers({ operation, body }: Ask): [name: string, source: string][] {
  if (operation !== 'createPet' || body instanceof Error) return [];
  try {
    return isJsonObject(parseBody(body)) ? splitMembers(decodeUtf8(body)) : [];
  } catch {
    return [];
  }
}

const keepFirst: Hook['request'] = (ask) => {
  const members = readMembers(ask);
  const first = new Map(members.toReversed());
  if (first.size === members.length) return ask;
  const printed = [...first].map(([name, source]) => `${JSON.stringify(name)}:${source}`);
  return { ...ask, body: new TextEncoder().encode(`{${printed.join(',')}}`) };
};

/** Creates a hook that refuses how the members of a valid animal are written. @param findFault returns the sentence that says why */
const refusingBody = (
  findFault: (members: readonly [name: string, source: string][]) => string | undefined,
): Hook => ({
  pet: (pet, _body, _world, ask) => {
    const fault = findFault(readMembers(ask));
    if (fault === undefined) return pet;
    throw invalidRequest(fault).ofKind('member body');
  },
});

export const duplicateMembers = {
  about: 'A member that a body has twice.',
  silentAt: CREATE,
  values: [
    { value: 'last', does: 'uses the last one' },
    { value: 'first', does: 'uses the first one', request: keepFirst },
    {
      value: 'refuse',
      does: 'refuses it with 400',
      ...refusingBody((members) => {
        const names = members.map(([name]) => name);
        const twice = names.find((name, index) => names.indexOf(name) < index);
        return twice && `The body has the member ${describeValue(twice)} twice.`;
      }),
    },
  ],
} as const satisfies Choice;

/** An integer in another notation than plain digits. */
const UNUSUAL = /^-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)$/;

export const integerNotations = {
  about: 'Integers in other notations, such as `1.0` and `1e2`.',
  silentAt: NEW_PET,
  values: [
    { value: 'accepted', does: 'accepts them' },
    {
      value: 'refused',
      does: 'refuses them with 400',
      ...refusingBody((members) => {
        const [name, source = ''] = members.find(([, one]) => UNUSUAL.test(one)) ?? [];
        return name && `${name} must be written in plain digits, not ${source.slice(0, 40)}.`;
      }),
    },
  ],
} as const satisfies Choice;
