import { sendAnimals, sendSpellings, sendTogether, sendUnusualAnimals } from './animals.ts';
import { sendBodies, sendRefused } from './bodies.ts';
import { sendIds, sendNearIds, sendUnknownIds } from './ids.ts';
import { sendKeys } from './keys.ts';
import { sendLastLook, sendLists, sendListsAgain, sendPause, sendSequence } from './lists.ts';
import { sendQueries } from './queries.ts';
import type { Sender } from './sender.ts';
import { sendUnspecified } from './unspecified.ts';
import { sendClients, sendUnusual } from './unusual.ts';

/** A table of requests, which a run sends as a whole. */
interface Table {
  readonly send: (sender: Sender) => Promise<void>;
  /** True if it only adds animals, or tries to. @default false */
  readonly writes?: boolean;
  /** Tables whose responses it needs. @default none */
  readonly after?: readonly string[];
}

/** What a run sends, in its order: each animal is seen before, after and between the additions. */
export const tables = {
  lists: { send: sendLists },
  'unusual queries': { send: sendQueries },
  'animals by id': { send: sendIds, after: ['lists'] },
  'unknown ids': { send: sendUnknownIds, after: ['lists'] },
  // From here on nothing that the first look has shown is new.
  pause: { send: sendPause, after: ['lists'] },
  'lists in turn': { send: sendSequence, after: ['pause'] },
  animals: { send: sendAnimals, writes: true, after: ['lists'] },
  'unusual animals': { send: sendUnusualAnimals, writes: true, after: ['animals'] },
  // It has their categories too, but does not need them.
  'animals at once': { send: sendTogether, writes: true, after: ['animals'] },
  'other spellings': { send: sendSpellings, writes: true, after: ['animals'] },
  'invalid bodies': { send: sendBodies, writes: true, after: ['animals'] },
  'refused animals': { send: sendRefused, writes: true, after: ['animals'] },
  'near ids': { send: sendNearIds, writes: true, after: ['animals'] },
  'lists again': { send: sendListsAgain, after: ['lists', 'pause'] },
  keys: { send: sendKeys, after: ['lists'] },
  'other clients': { send: sendClients, after: ['lists'] },
  'unusual requests': { send: sendUnusual, after: ['lists'] },
  // Only for a recording.
  'unspecified points': { send: sendUnspecified },
  'last look': { send: sendLastLook, after: ['lists', 'pause'] },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;

/** What each run sends. */
export const ofRuns = (Object.keys(tables) as TableName[]).filter((name) => name !== 'unspecified points');

/** Lists tables with those whose responses they need, in the order of a run. @param mayWrite whether the run adds animals */
export function listTables(names: Iterable<TableName>, mayWrite: boolean): readonly TableName[] {
  const wanted = new Set<string>();
  const want = (name: string) => {
    if (wanted.has(name)) return;
    wanted.add(name);
    const { after = [] } = tables[name as TableName] as Table;
    for (const other of after) want(other);
  };
  for (const name of names) want(name);
  const all = Object.keys(tables) as TableName[];
  return all.filter((name) => wanted.has(name) && (mayWrite || (tables[name] as Table).writes !== true));
}
