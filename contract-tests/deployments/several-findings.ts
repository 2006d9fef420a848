import { change } from './changes.ts';
import { type Deployment, deployments } from './deployment.ts';
import { type DeployedRequest, type IsMeant, idOf, isFetch } from './messages.ts';
import { alter, asDouble, readJson } from './values.ts';

const hasShortId: IsMeant = (request) => isFetch(request) && /^-?\d{1,18}$/.test(idOf(request));
const roundId = (one: DeployedRequest) => ({ path: `/pets/${asDouble(BigInt(idOf(one)))}` });
const edgeCases = { options: { profile: 'edge-cases' } } as const;
const rex = '{"name":"Rex","categoryId":1}';

/**
 * Deployments with one defect that breaks several clauses, each in a way of its own. verdicts.txt has the findings, with the
 * reason.
 */
export const severalFindings: readonly Deployment[] = deployments({
  'adds an animal for malformed JSON': change.body((body) => (readJson(body) === undefined ? rex : body)),
  'keeps categoryIds as doubles': change.sent(alter('categoryId', asDouble)),
  'rounds ids that it looks for': [change.request(hasShortId, roundId), edgeCases],
  'rounds the ids that it lists': [change.listed(alter('id', asDouble)), edgeCases],
});
