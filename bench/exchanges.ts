import type { Exchange } from './exchange.ts';

const headers = { Authorization: 'Bearer test-key' };

/** What the mock is measured with. */
export const exchanges = {
  list: { title: 'a list of 20', method: 'GET', path: '/pets', headers },
  filtered: { title: 'a list of 100 by status', method: 'GET', path: '/pets?limit=100&status=sold', headers },
  one: { title: 'one animal', method: 'GET', path: '/pets/7', headers },
  refusal: { title: 'a 401', method: 'GET', path: '/pets', headers: {} },
  addition: {
    title: 'adding an animal',
    method: 'POST',
    path: '/pets',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
  },
} as const satisfies Record<string, Exchange>;
