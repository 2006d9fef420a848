import { accessDeployments } from './conforming/access-deployments.ts';
import { storeDeployments } from './conforming/store-deployments.ts';
import {
  busyDeployments,
  lateDeployments,
  transportDeployments,
} from './conforming/transport-deployments.ts';
import type { Deployment } from './deployment.ts';

/** Deployments that differ from the mock in unspecified points that behaviours do not have. */
export const conformingDeployments: readonly Deployment[] = [
  // First, since some wait for seconds while others run.
  ...busyDeployments,
  ...lateDeployments,
  ...transportDeployments,
  { name: 'is the mock', overHttp: true },
  { name: 'is the mock, empty at first', options: { profile: 'empty' } },
  { name: 'is the mock with what may break a client', options: { profile: 'edge-cases' } },
  ...storeDeployments,
  ...accessDeployments,
];
