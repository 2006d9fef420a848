import type { Deployment } from './deployment.ts';

/** Deployments that each break something, and the clauses that they break. */
export const brokenDeployments: readonly Deployment[] = [
  {
    name: 'lists without a key',
    breaks: ['list-pets/missing-key'],
    createBehaviour: () => (request, asMock) => {
      const isKeyless =
        request.headers.authorization === undefined || /^Bearer ?$/.test(request.headers.authorization);
      const isList = request.method === 'GET' && request.path === '/pets';
      return asMock(
        isKeyless && isList ? { ...request, headers: { authorization: 'Bearer test-key' } } : request,
      );
    },
  },
  {
    name: 'lists 10 animals where limit is left out',
    breaks: ['list-pets/limit-default'],
    createBehaviour: () => (request, asMock) => {
      if (request.path !== '/pets' || request.method !== 'GET' || request.query.has('limit'))
        return asMock(request);
      const query = new URLSearchParams(request.query);
      query.set('limit', '10');
      return asMock({ ...request, query });
    },
  },
];
