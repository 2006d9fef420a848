import { authenticationDeployments } from '../rules/authentication.deployments.ts';
import { endpointsDeployments } from '../rules/endpoints.deployments.ts';
import { errorsDeployments } from '../rules/errors.deployments.ts';
import { getPetByIdDeployments } from '../rules/get-pet-by-id.deployments.ts';
import { getPetsDeployments } from '../rules/get-pets.deployments.ts';
import { postPetsDeployments } from '../rules/post-pets.deployments.ts';
import { robustnessDeployments } from '../rules/robustness.deployments.ts';
import { type Deployment, deployments } from './deployment.ts';
import { generatedDeployments } from './generated-deployments.ts';
import { severalFindings } from './several-findings.ts';

/** Deployments that each break one clause: the rows next to the clauses. */
const breakingOne: readonly Deployment[] = [
  ...getPetsDeployments,
  ...postPetsDeployments,
  ...getPetByIdDeployments,
  ...endpointsDeployments,
  ...authenticationDeployments,
  ...errorsDeployments,
  ...robustnessDeployments,
];

const breakingNames = new Set(breakingOne.map(({ name }) => name));
const otherGenerated = deployments(generatedDeployments).filter(({ name }) => !breakingNames.has(name));

/** The first deployment of each clause that it breaks, and those with several findings: `npm test` tries them each time. */
export const usualDeployments: readonly Deployment[] = [
  ...[...Map.groupBy(breakingOne, ({ breaks }) => breaks).values()].flatMap((rows) => rows.slice(0, 1)),
  ...severalFindings,
];

/** Deployments that each have one defect. Those that do not say which clause they break are in verdicts.txt. */
export const brokenDeployments: readonly Deployment[] = [
  ...breakingOne,
  ...severalFindings,
  ...otherGenerated,
];
