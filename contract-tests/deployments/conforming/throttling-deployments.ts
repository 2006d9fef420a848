import type { Behaviour, Deployment } from '../deployment.ts';
import { refuse } from './store-behaviour.ts';

/** Makes a behaviour that refuses each nth request with 429. */
function refuseEach(nth: number, createHeaders: () => Readonly<Record<string, string>>): () => Behaviour {
  return () => {
    let count = 0;
    return async (request, asMock) => {
      count += 1;
      return count % nth === 0 ? refuse(429, createHeaders()) : asMock(request);
    };
  };
}

/** Makes a behaviour that refuses what is more than so many requests in a second, a few at once being allowed. */
function limitRate(perSecond: number, atOnce: number): () => Behaviour {
  return () => {
    let [tokens, last] = [atOnce, performance.now()];
    return async (request, asMock) => {
      const now = performance.now();
      tokens = Math.min(atOnce, tokens + ((now - last) / 1000) * perSecond);
      last = now;
      if (tokens < 1) return refuse(429, { 'Retry-After': '1' });
      tokens -= 1;
      return asMock(request);
    };
  };
}

/** Makes a behaviour that, after so many requests without the right key, refuses the next with 429. */
function lockOut(most: number): () => Behaviour {
  return () => {
    let wrong = 0;
    return async (request, asMock) => {
      if (wrong >= most) {
        wrong = 0;
        return refuse(429, { 'Retry-After': '0' });
      }
      const reply = await asMock(request);
      if (reply.status === 401) wrong += 1;
      return reply;
    };
  };
}

/** Lawful deployments that refuse too many requests. */
export const throttlingDeployments: readonly Deployment[] = [
  {
    name: 'refuses each third request with 429 and Retry-After: 0',
    breaks: [],
    createBehaviour: refuseEach(3, () => ({ 'Retry-After': '0' })),
  },
  {
    name: 'refuses each 150th request with 429 and Retry-After: 1',
    breaks: [],
    createBehaviour: refuseEach(150, () => ({ 'Retry-After': '1' })),
  },
  {
    name: 'refuses each 20th request with 429 and the time of this second in Retry-After',
    breaks: [],
    createBehaviour: refuseEach(20, () => ({ 'Retry-After': new Date().toUTCString() })),
  },
  {
    name: 'refuses each 150th request with 429 and no Retry-After',
    breaks: [],
    createBehaviour: refuseEach(150, () => ({})),
  },
  {
    name: 'refuses all requests after the 60th for a day',
    breaks: [],
    createBehaviour: () => {
      let count = 0;
      return async (request, asMock) => {
        count += 1;
        return count > 60 ? refuse(429, { 'Retry-After': '86400' }) : asMock(request);
      };
    },
  },
  { name: 'refuses for once after ten wrong keys', breaks: [], createBehaviour: lockOut(10) },
  {
    name: 'takes 300 requests a second, the suite being told to make 200',
    breaks: [],
    createBehaviour: limitRate(300, 50),
    target: { maxRate: 200 },
  },
  { name: 'takes 150 requests at once, then 300 a second', breaks: [], createBehaviour: limitRate(300, 150) },
];
