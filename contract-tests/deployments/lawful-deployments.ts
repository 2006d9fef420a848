import type { Deployment } from './deployment.ts';
import { accessDeployments } from './lawful/access-deployments.ts';
import { creationDeployments } from './lawful/creation-deployments.ts';
import { jsonDeployments } from './lawful/json-deployments.ts';
import { populationDeployments } from './lawful/population-deployments.ts';
import { queryDeployments } from './lawful/query-deployments.ts';
import { throttlingDeployments } from './lawful/throttling-deployments.ts';
import { transportDeployments } from './lawful/transport-deployments.ts';

/** Deployments that differ from the mock in what the specification leaves open. */
export const lawfulDeployments: readonly Deployment[] = [
  { name: 'is the mock', breaks: [] },
  { name: 'is the mock, empty at first', breaks: [], options: { profile: 'empty' } },
  { name: 'is the mock with what may break a client', breaks: [], options: { profile: 'edge-cases' } },
  { name: 'is the mock and clamps a limit', breaks: [], options: { limitPolicy: 'clamp' } },
  ...populationDeployments,
  ...queryDeployments,
  ...creationDeployments,
  ...jsonDeployments,
  ...transportDeployments,
  ...throttlingDeployments,
  ...accessDeployments,
];
