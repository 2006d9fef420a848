import type { FurtherMembers, MemberType } from '../../common/behaviour/further-members.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';

/** What the values of further members are made of. */
export interface MemberSource {
  readonly number: bigint;
  readonly time: Date;
  /** Path that links lead to. */
  readonly path: string;
}

/** Names of members that are times, such as `createdAt`, `due_date` and `timestamp`. */
const TIME = /(?:[a-z]At|_at|[dD]ate|[tT]ime|timestamp)$/;

const LINKS = /^_?links$/;

/** Returns sample values for members, the same ones for the same source. */
export function inventMembers(members: FurtherMembers, source: MemberSource): JsonObject {
  const entries = Object.entries(members).map(([name, type]) => [name, invent(name, type, source)] as const);
  return Object.fromEntries(entries);
}

function invent(name: string, type: MemberType, { number, time, path }: MemberSource): ExactJson {
  const samples: Readonly<Record<MemberType, ExactJson>> = {
    string: TIME.test(name) ? time.toISOString() : `${name} ${number}`,
    number,
    boolean: number % 2n === 0n,
    array: [],
    object: LINKS.test(name) ? { self: path } : {},
    null: null,
  };
  return samples[type];
}
