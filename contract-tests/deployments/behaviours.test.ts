import { test } from 'vitest';
import { listSingles } from '../../common/behaviour/behaviours.ts';
import { expectConformance } from '../testing/expect-conformance.ts';

const byName = [{ rateLimit: 'every20th' }, { fullStore: 'after10' }] as const;

test.concurrent.for([...listSingles(), ...byName])('a mock with behaviour %j conforms', expectConformance);
