import { expect, test } from 'vitest';
import type { Exchange } from '../client/exchange.ts';
import { createExchange, type Told } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import { type Animal, History, lastWitness } from './history.ts';

const REX = '{"id":1,"name":"Rex","categoryId":1}';

const seen = {
  list: { status: 200, body: `[${REX}]` },
  'longer list': { status: 200, body: `[${REX}]`, path: '/pets?limit=100' },
  animal: { status: 200, body: REX, path: '/pets/1' },
  '404': { status: 404, path: '/pets/1' },
  '201': { status: 201, body: REX, method: 'POST', sent: '{"name":"Rex","categoryId":1}' },
} as const satisfies Record<string, Told>;

type Name = keyof typeof seen;

test.for<[responses: readonly Name[], ofLists: Name | undefined, byId: Name | undefined]>([
  [['list', 'animal'], 'list', 'animal'],
  [['animal', 'longer list', 'list'], 'list', 'animal'],
  [['longer list', '201'], 'longer list', 'longer list'],
  [['animal', '201'], 'animal', 'animal'],
  // What denies the animal is no witness.
  [['animal', '404'], 'animal', 'animal'],
  [['list', '404'], 'list', 'list'],
  // Adding it again would show another animal.
  [['201'], undefined, undefined],
  [['201', '404'], undefined, undefined],
])('after %j the last witness of an animal is %s, or %s by id', ([responses, ofLists, byId]) => {
  const history = new History(createTarget(), 'contract-test');
  const names = new Map<Exchange | undefined, Name>();
  for (const name of responses) {
    const exchange = createExchange({ ...seen[name], isAuthorized: true });
    names.set(exchange, name);
    history.record(exchange);
  }
  const witnessOf = (how: 'list' | 'by id') => names.get(lastWitness(history.animals.get(1n) as Animal, how));
  expect([witnessOf('list'), witnessOf('by id')]).toEqual([ofLists, byId]);
});
