import type { Deployment } from './deployment.ts';

/** Deployments that differ from the mock in what the specification leaves open. */
export const lawfulDeployments: readonly Deployment[] = [
  { name: 'is the mock', breaks: [] },
  { name: 'is empty at first', breaks: [], options: { profile: 'empty' } },
  { name: 'holds what may break a client', breaks: [], options: { profile: 'edge-cases' } },
  { name: 'clamps a limit', breaks: [], options: { limitPolicy: 'clamp' } },
  { name: 'lives behind a longer path', breaks: [], basePath: '/animals/store/v1' },
];
