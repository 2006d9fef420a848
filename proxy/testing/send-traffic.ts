import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../common/create-random.ts';

/** What one client sends. */
interface Step {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const statuses = ['available', 'pending', 'sold'];
const pick = <T>(random: () => number, some: readonly T[]): T =>
  some[Math.floor(random() * some.length)] as T;

/** Traffic of ordinary clients, which make ordinary mistakes. The same seed sends the same requests, not at the same times. */
export async function sendTraffic(
  url: string,
  seed: number,
  options: { clients?: number; steps?: number } = {},
) {
  const { clients = 3, steps = 120 } = options;
  await Promise.all(Array.from({ length: clients }, (_, index) => runClient(url, seed * 100 + index, steps)));
}

async function runClient(url: string, seed: number, steps: number): Promise<void> {
  const random = createRandom(seed);
  const known: string[] = ['1', '2', '7'];
  const etags = new Map<string, string>();
  for (let step = 0; step < steps; step += 1) {
    for (const one of createSteps(random, known)) {
      const etag = random() < 0.1 ? etags.get(one.path) : undefined;
      const response = await send(url, one, etag);
      const { headers } = response;
      if (headers.has('etag')) etags.set(one.path, `${headers.get('etag')}`);
      const text = await response.text();
      known.push(...[...text.matchAll(/"id":(-?\d+)/g)].slice(0, 3).map(([, id]) => `${id}`));
    }
    if (random() < 0.05) await delay(random() * 60);
  }
}

function send(url: string, step: Step, etag: string | undefined): Promise<Response> {
  const { path, method = 'GET', headers = {}, body } = step;
  const sent = {
    Authorization: 'Bearer test-key',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(etag !== undefined && method === 'GET' && { 'If-None-Match': etag }),
    ...headers,
  };
  return fetch(`${url}${path}`, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
}

/** Chooses what a client does next, mostly what apps do. */
function createSteps(random: () => number, known: readonly string[]): Step[] {
  const kind = random();
  if (kind < 0.45) return [{ path: createList(random) }];
  if (kind < 0.6) return [{ path: `/pets/${pick(random, known)}` }];
  if (kind < 0.85) return createPosts(random);
  return pick(random, mistakes)(random);
}

function createList(random: () => number): string {
  const limit = pick(random, ['', '', 'limit=20', 'limit=100', 'limit=100', 'limit=50', 'limit=5']);
  const status = random() < 0.3 ? `status=${pick(random, statuses)}` : '';
  const query = [status, limit].filter((part) => part !== '').join('&');
  return query === '' ? '/pets' : `/pets?${query}`;
}

const post = (body: object | string): Step => ({
  method: 'POST',
  path: '/pets',
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

function createPosts(random: () => number): Step[] {
  const categoryId = pick(random, [1, 2, 3, 3, 4711, -5, 0]);
  const name = `${pick(random, ['Rex', 'Bella', 'Zoë', 'Milo', 'luna'])} ${Math.floor(random() * 1e6)}`;
  const pet = random() < 0.5 ? { name, categoryId } : { name, categoryId, status: pick(random, statuses) };
  const text = JSON.stringify(pet);
  const list = { path: pick(random, ['/pets', '/pets?limit=100']) };
  return pick(random, [
    [post(pet)],
    [post(pet), list],
    [post(pet), post(pet), list],
    [post({ ...pet, name: name.toUpperCase() }), list],
    [post(pet), post(pet), post({ ...pet, name: name.toUpperCase() }), list],
    [post({ ...pet, nickname: 'x' }), post(pet)],
    [post({ ...pet, id: 7 }), post(pet)],
    [post({ ...pet, name: '' })],
    [post({ ...pet, name: 'x'.repeat(Math.floor(random() * 1_500)) })],
    [post(text.replace(/"categoryId":(-?\d+)/, '"categoryId":$1.0')), post(pet)],
    [post(text.replace(/^\{/, '{"name":"Another",'))],
    [{ ...post(pet), headers: { 'Content-Type': 'text/plain' } }],
    [{ ...post(pet), headers: { 'Content-Type': 'text/plain' } }, post(pet)],
    [{ ...post(`name=Rex&categoryId=${categoryId}`), headers: FORM }],
    [post({ ...pet, name: ' '.repeat(1 + Math.floor(random() * 3)) })],
    [post({ ...pet, name: name.slice(0, 1 + Math.floor(random() * 3)) })],
    [post(text.replace(/\}$/, `,"name":"${pick(random, ['A', 'Rex 🐶', 'Salt & Pepper'])}"}`)), list],
    [post({ ...pet, createdAt: '2026-01-01T00:00:00Z' }), list],
    [post({ ...pet, Status: 'sold' })],
    [post({ name, status: 'available' })],
    [post('{"name":')],
  ]);
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** What apps send by mistake, and what their browsers send. */
const mistakes: readonly ((random: () => number) => Step[])[] = [
  () => [{ path: '/pets/undefined' }],
  () => [{ path: '/pets/99999999' }],
  () => [{ path: '/animals/3' }],
  () => [{ path: '/pets/' }],
  () => [{ path: '/pets/1', method: 'DELETE' }],
  () => [{ path: '/pets/abc', method: 'DELETE' }],
  () => [{ ...post({ name: 'Rex', categoryId: 1 }), path: '/pets/' }],
  () => [{ path: '/pets', method: 'HEAD' }],
  () => [{ path: '/pets', headers: { Authorization: 'Bearer wrong-key' } }],
  () => [{ path: '/pets', headers: { Authorization: 'bearer test-key' } }],
  (random) => around(random, `limit=${pick(random, ['0', '-1', '-10'])}`),
  (random) => around(random, `limit=${pick(random, ['abc', '', '2.5', '03', 'undefined'])}`),
  (random) => around(random, `limit=${pick(random, ['101', '200', '1000'])}`),
  (random) => around(random, `status=${pick(random, ['lost', 'undefined', 'all'])}`),
  (random) => around(random, pick(random, ['page=2', 'sort=name', '_=1', 'offset=0'])),
  () => [{ path: '/pets?status=available&status=sold' }],
];

/** An app that polls its list meets the mistake of another page between two polls. */
function around(random: () => number, query: string): Step[] {
  const list = [{ path: '/pets' }, { path: '/pets?limit=100' }];
  return random() < 0.5 ? [...list, { path: `/pets?${query}` }, ...list] : [{ path: `/pets?${query}` }];
}
