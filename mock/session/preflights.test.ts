import { expect, onTestFinished, test, vi } from 'vitest';
import { MOST_PREFLIGHTS, type PreflightedRequest, Preflights } from './preflights.ts';

const asked = { origin: 'http://localhost:5173', method: 'GET', target: '/v1/pets?limit=2' };

/** A hint comes after a second, on a busy machine later. */
const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });

function createPreflights(corsOrigins: readonly string[] = []) {
  const onHint = vi.fn<(request: PreflightedRequest, hint: string) => void>();
  const preflights = new Preflights({ corsOrigins, keys: () => ['s3cr-key'], onHint });
  onTestFinished(() => preflights.close());
  const record = (others: Partial<PreflightedRequest> = {}) =>
    preflights.record({ ...asked, ...others }, new Date());
  return { preflights, onHint, record, listHints: () => preflights.list(undefined).map(({ hint }) => hint) };
}

test('a preflight that no request follows gets a hint, which names the origin of its page', async () => {
  const { preflights, onHint, record } = createPreflights();
  record();
  const { origin, method, target: url } = asked;
  const preflight = { id: 1, time: expect.any(Date), origin, method, url };
  expect(preflights.list(undefined)).toEqual([{ ...preflight, isFollowed: false, hint: undefined }]);
  const hint = `no request followed: if the page sends cookies, start with --cors-origin ${origin}`;
  await waitFor(() => expect(onHint).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(asked), hint));
  expect(preflights.list(undefined)).toEqual([{ ...preflight, isFollowed: false, hint }]);
});

test('only a request of the same origin, method and URL follows a preflight', async () => {
  const { preflights, onHint, record, listHints } = createPreflights();
  const others = [
    { origin: 'http://localhost:5174' },
    { method: 'POST' },
    { target: '/v1/pets' },
    { target: '/sessions/w1/v1/pets?limit=2' },
  ];
  record();
  // React renders twice while it is developed.
  record();
  for (const other of others) record(other);
  preflights.follow(asked, undefined);
  await waitFor(() => expect(onHint).toHaveBeenCalledTimes(others.length));
  const [first, second, ...missing] = listHints();
  expect([first, second]).toEqual([undefined, undefined]);
  expect(missing).toEqual(Array(others.length - 1).fill(expect.stringMatching(/^no request followed: /)));
  expect(preflights.list('w1')).toMatchObject([{ url: asked.target, isFollowed: false }]);
});

test('a request that comes late takes the hint back', async () => {
  const { preflights, record, listHints } = createPreflights();
  record();
  await waitFor(() => expect(listHints()).toEqual([expect.any(String)]));
  const { version } = preflights;
  preflights.follow(asked, undefined);
  expect(preflights.list(undefined)).toMatchObject([{ isFollowed: true, hint: undefined }]);
  expect(preflights.version).toBeGreaterThan(version);
});

test.for([
  [asked.origin, undefined],
  [
    'http://127.0.0.1:5173',
    /its origin must be allowed too, and --cors-origin has only http:\/\/localhost:5173$/,
  ],
  ['null', /serve it over HTTP, because this origin cannot be allowed$/],
  ['http://x; echo', /because this origin cannot be allowed$/],
] as const)('with --cors-origin, the hint for the origin %s fits', async ([origin, hint]) => {
  const { preflights, onHint, record, listHints } = createPreflights([asked.origin]);
  record({ origin });
  // It gets its hint last.
  record({ origin: 'http://app.test' });
  await waitFor(() => expect(listHints()[1]).toBeDefined());
  expect(listHints()[0]).toEqual(hint && expect.stringMatching(hint));
  expect(onHint).toHaveBeenCalledTimes(hint ? 2 : 1);
  expect(preflights.list(undefined)).toHaveLength(2);
});

test('a removed preflight gets no hint, and neither does one of a mock that was closed', async () => {
  const closed = createPreflights();
  const cleared = createPreflights();
  closed.record();
  closed.preflights.close();
  cleared.record();
  cleared.record();
  cleared.preflights.clear(undefined, { until: 1 });
  cleared.record({ target: '/sessions/w1/v1/pets' });
  cleared.preflights.clear('w1');
  await waitFor(() => expect(cleared.onHint).toHaveBeenCalled());
  expect(cleared.preflights.list(undefined)).toMatchObject([{ id: 2 }]);
  expect(cleared.onHint).toHaveBeenCalledOnce();
  expect(closed.onHint).not.toHaveBeenCalled();
});

test('a preflight that waits for its request does not keep the process alive', () => {
  const { record } = createPreflights();
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = countTimers();
  record();
  expect(countTimers()).toBe(before);
});

test('the latest preflights are kept, without keys', () => {
  const { preflights, record } = createPreflights();
  for (let count = 0; count <= MOST_PREFLIGHTS; count += 1) record();
  record({ target: '/v1/pets?token=abcd', origin: 'http://s3cr-key.test' });
  const kept = preflights.list(undefined);
  expect([kept.length, kept[0]?.id]).toEqual([MOST_PREFLIGHTS, 3]);
  expect(kept.at(-1)).toMatchObject({ url: '/v1/pets?token=[key]', origin: 'http://[key].test' });
});
