import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { runVerify } from '../../contract-tests/run-verify.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { drawDifference } from '../../tools/testing/draw-difference.ts';
import { completeBehaviour } from '../choices/behaviours.ts';
import { isSameLearned } from '../choices/choices.ts';
import { startMock } from '../index.ts';
import { learn } from './learn.ts';
import { readRecording } from './read-recording.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Number of drawn behaviours that are learned from a recording. */
    roundTrips: number;
  }
}

/** Number of choices that a run with POST requests shows of every behaviour. */
const ENOUGH = 30;

/** A run against a mock that shows each new animal late, in ms. */
const SLOW_RUN = 300_000;

const seeds = Array.from({ length: inject('roundTrips') }, (_, index) => index + 1);

test.for(seeds)(
  'a recording of the suite shows the behaviour drawn with seed %i, and no other',
  { timeout: SLOW_RUN },
  async (seed) => {
    const drawn = drawDifference(seed);
    await using mock = await startMock({ port: 0, log: 'silent', behaviour: drawn });
    const file = join(createFolder(), 'run.har');
    const argv = [mock.url, '--allow-writes', '--har', file];
    await callCommand('animal-store-verify', runVerify, argv, { ANIMAL_STORE_API_KEY: 'test-key' });
    const { findings } = learn(await readRecording(file));
    const truth = completeBehaviour(drawn);
    const learned = [...findings].filter(([, { values }]) => values.length === 1);
    const wrong = learned.filter(([name, { values }]) => !isSameLearned(name, values[0], truth[name]));
    expect(wrong.map(([name, { values }]) => [name, values[0], truth[name]])).toEqual([]);
    expect(learned.length).toBeGreaterThan(ENOUGH);
  },
);
