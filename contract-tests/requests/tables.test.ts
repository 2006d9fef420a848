import { expect, test } from 'vitest';
import { listTables, type TableName } from './tables.ts';

test.for<[wanted: readonly TableName[], mayWrite: boolean, sent: readonly TableName[]]>([
  [['lists'], false, ['lists']],
  [['unknown ids'], false, ['lists', 'unknown ids']],
  // What the first look has shown is no longer new.
  [['lists in turn'], false, ['lists', 'pause', 'lists in turn']],
  [['last look', 'unusual queries'], false, ['lists', 'unusual queries', 'pause', 'last look']],
  [['near ids', 'keys'], true, ['lists', 'animals', 'near ids', 'keys']],
  [['near ids', 'keys'], false, ['lists', 'keys']],
])('with %j wanted, and POST allowed: %s, a run sends %j', ([wanted, mayWrite, sent]) => {
  expect(listTables(wanted, mayWrite)).toEqual(sent);
});
