import { test } from 'vitest';
import { choiceNames } from '../../mock/choices/choices.ts';
import { listValues } from '../../tools/testing/list-values.ts';
import { expectConformance } from '../testing/expect-conformance.ts';

const singles = choiceNames.flatMap((name) => listValues(name).map((value) => ({ [name]: value })));

test.concurrent.for(singles)('a mock with behaviour %j conforms', expectConformance);
