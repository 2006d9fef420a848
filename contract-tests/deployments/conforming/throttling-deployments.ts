import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { createError } from '../replies.ts';
import { conforming } from '../rows.ts';

function tooMany(retryAfter?: string) {
  return createError(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

function refuseSome(isMeant: (count: number) => boolean, createRetryAfter?: () => string): CreateBehaviour {
  return () => {
    let count = 0;
    return async (request, asMock) => {
      count += 1;
      return isMeant(count) ? tooMany(createRetryAfter?.()) : asMock(request);
    };
  };
}

function limitRate(atOnce: number): CreateBehaviour {
  return () => {
    let [tokens, last] = [atOnce, performance.now()];
    return async (request, asMock) => {
      const now = performance.now();
      tokens = Math.min(atOnce, tokens + (now - last) * 0.3);
      last = now;
      if (tokens < 1) return tooMany('1');
      tokens -= 1;
      return asMock(request);
    };
  };
}

function lockOut(): CreateBehaviour {
  return () => {
    let wrong = 0;
    return async (request, asMock) => {
      const isLocked = wrong >= 10;
      if (isLocked) wrong = 0;
      const reply = isLocked ? tooMany('0') : await asMock(request);
      if (reply.status === 401) wrong += 1;
      return reply;
    };
  };
}

/** Conforming deployments that refuse too many requests. */
export const throttlingDeployments: readonly Deployment[] = [
  ...conforming({
    'refuses each third request with 429 and Retry-After: 0': refuseSome(
      (count) => count % 3 === 0,
      () => '0',
    ),
    'refuses each 20th request with 429 and the time of this second in Retry-After': refuseSome(
      (count) => count % 20 === 0,
      () => new Date().toUTCString(),
    ),
    'refuses each 200th request with 429 and no Retry-After': refuseSome((count) => count % 200 === 0),
    'refuses all requests after the 60th for a day': refuseSome(
      (count) => count > 60,
      () => '86400',
    ),
    'refuses for once after ten wrong keys': lockOut(),
    'takes 150 requests at once, then 300 a second': limitRate(150),
  }),
  ...conforming(
    { 'takes 300 requests a second, the suite being told to make 200': limitRate(50) },
    { target: { maxRate: 200 } },
  ),
];
