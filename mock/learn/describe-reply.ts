import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  printExactJson,
  readExactJson,
} from '../../common/json/exact-json.ts';
import type { ChoiceName } from '../choices/choices.ts';
import { serviceContract } from '../contract.ts';

interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if it is not known. */
  readonly text: string | undefined;
}

/** What a response is like, as far as choices decide about it: values that the store made up are left out. */
export type Features = ReadonlyMap<string, string>;

/** What a list or an animal is about decides whether a value explains a response at all. The rest may have another reason. */
export const decisive: readonly string[] = ['status', 'body', 'length', 'statuses', 'without status'];

interface ComparedHeader {
  /** The choices that decide about it. Others change it only with the status. */
  readonly choices: readonly ChoiceName[];
  /** Describes its value. @default `present`: most values are made up */
  readonly describe?: (value: string) => string;
}

export const comparedHeaders: Readonly<Record<string, ComparedHeader>> = {
  'content-type': {
    choices: ['charset'],
    describe: (value) => value.replaceAll(/[\s"]/g, '').toLowerCase(),
  },
  allow: { choices: ['allow'] },
  'www-authenticate': { choices: ['challenge'] },
  location: { choices: ['location', 'trailingSlash'] },
  sunset: { choices: ['deprecationHeaders'] },
  deprecation: { choices: ['deprecationHeaders'] },
  etag: { choices: ['etag'] },
  link: {
    choices: ['deprecationHeaders'],
    // Services send links for other reasons too.
    describe: (value) => (/successor-version|deprecation|sunset/i.test(value) ? 'present' : '-'),
  },
};

const isPresent = () => 'present';

const given = serviceContract.members.filter(({ isGiven }) => isGiven).map(({ name }) => name);

/** How messages name members: `categoryId` may be called a category. */
const NAMES_A_MEMBER = new RegExp(
  given.map((name) => (name.endsWith('Id') ? name.slice(0, -'Id'.length) : `\\b${name}\\b`)).join('|'),
  'i',
);

/** Describes a response. @param method of the request */
export function describeReply(method: string, { status, headers, text }: Answer): Features {
  // A 308 differs from a 307 in how long it holds.
  const features = new Map([['status', String(status === 308 ? 307 : status)]]);
  for (const [name, { describe = isPresent }] of Object.entries(comparedHeaders)) {
    const value = headers[name];
    features.set(`header ${name}`, value === undefined ? '-' : describe(value));
  }
  if (method === 'HEAD' || status === 304) features.delete('header content-type');
  else if (text !== undefined) describeBody(features, text, status);
  return features;
}

function describeBody(features: Map<string, string>, text: string, status: number): void {
  const json = readExactJson(text);
  if (Array.isArray(json)) {
    const animals = (json as readonly ExactJson[]).filter(isJsonObject);
    features.set('body', 'list');
    features.set('length', String(animals.length));
    const statuses = new Set(animals.map(({ status: one }) => toText(one)));
    features.set('without status', String(statuses.delete('undefined')));
    features.set('statuses', [...statuses].toSorted().join());
    return;
  }
  if (json === undefined || !isJsonObject(json)) {
    const isPage = /^\s*<(?:!doctype|html)/i.test(text);
    const kind = isPage ? 'a page' : json === undefined ? 'text' : 'a value';
    features.set('body', text === '' ? 'nothing' : kind);
    return;
  }
  const isError = status >= 400;
  features.set('body', isError && typeof json.code !== 'string' ? 'another object' : 'object');
  for (const name of Object.keys(json)) features.set(`member ${name}`, 'present');
  if (isError) {
    features.set('code', toText(json.code));
    features.set('names a member', String(NAMES_A_MEMBER.test(toText(json.message))));
  } else for (const name of given) features.set(`value of ${name}`, toText(json[name]));
}

/** Returns a member as text. An object has no text of its own if it has a member toString. */
export function toText(value: ExactJson | undefined): string {
  return typeof value === 'object' ? printExactJson(value) : String(value);
}

/** Returns the animals in a response: of a list, or the single one. */
export function animalsIn(json: ExactJson | undefined): readonly JsonObject[] {
  const all = Array.isArray(json) ? (json as readonly ExactJson[]) : json === undefined ? [] : [json];
  return all.filter(isJsonObject);
}
