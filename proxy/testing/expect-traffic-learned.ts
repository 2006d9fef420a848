import { expect, type onTestFinished } from 'vitest';
import { completeBehaviour } from '../../common/behaviour/behaviours.ts';
import { type ChoiceName, type Difference, isSameLearned } from '../../common/behaviour/choices.ts';
import type { Learned } from '../../common/learn/learn.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Exchange } from '../exchange.ts';
import { learnTraffic } from '../learn/learn-traffic.ts';
import { TrafficRecord } from '../learn/traffic-record.ts';
import { sendTraffic } from './send-traffic.ts';
import { startTestProxy } from './start-test-proxy.ts';

/**
 * Learns a mock's behaviour from the traffic of a seed.
 * @param resets how often the mock is reset meanwhile
 * @param whenDone of the context of the test: a concurrent one would otherwise lose its servers when another test ends
 */
export async function learnFromTraffic(
  behaviour: Difference,
  seed: number,
  resets: number,
  whenDone: typeof onTestFinished,
): Promise<Learned> {
  const mock = await startTestMock({ behaviour, animals: 60 }, whenDone);
  const record = new TrafficRecord();
  const onExchange = (exchange: Exchange) => {
    const { startedAt = 0 } = exchange;
    record.add(exchange, startedAt, Date.now() - startedAt);
  };
  const { url } = await startTestProxy(mock.url, { onExchange }, whenDone);
  for (let round = 0; round <= resets; round += 1) {
    if (round > 0) mock.reset();
    await sendTraffic(url, seed + round, { steps: 120 / (resets + 1) });
  }
  return learnTraffic(record);
}

/** Throws if a value is learned wrongly. @returns the choices that were observed */
export function expectTrue(
  { observed, behaviour: learned }: Learned,
  behaviour: Difference,
): readonly ChoiceName[] {
  const [one, other] = [completeBehaviour(learned), completeBehaviour(behaviour)];
  const wrong = observed.filter((name) => !isSameLearned(name, one[name], other[name]));
  expect(wrong.map((name) => `${name} is ${other[name]}, learned was ${one[name]}`)).toEqual([]);
  return observed;
}
