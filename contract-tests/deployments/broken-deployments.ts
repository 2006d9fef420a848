import { creationDeployments } from './broken/creation-deployments.ts';
import { requestDeployments } from './broken/request-deployments.ts';
import { versionDeployments } from './broken/version-deployments.ts';
import { type Deployment, deployments } from './deployment.ts';
import { transformations } from './transformations.ts';

const others = [...requestDeployments, ...creationDeployments, ...versionDeployments];

/** Deployments that each have one defect: changes of the mock, and what needs memory, time or other values. */
export const brokenDeployments: readonly Deployment[] = [...deployments(transformations), ...others];
