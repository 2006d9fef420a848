import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

function createPace(responses: number, refusals: number): Pace {
  const pace = new Pace();
  for (let count = 0; count < refusals; count += 1) {
    for (let response = 0; response < responses; response += 1) pace.noteResponse();
    pace.noteRefusal(0);
  }
  return pace;
}

test('the time between requests is halved after ten responses, so that a random refusal slows only the next ones', () => {
  const pace = createPace(24, 30);
  const gaps = [pace.gap];
  for (let response = 1; response <= 50; response += 1) {
    pace.noteResponse();
    if (response % 10 === 0) gaps.push(pace.gap);
  }
  expect(gaps).toEqual([20, 10, 5, 2.5, 1.25, 0]);
});

test('a time that was too short is approached in smaller steps', () => {
  const pace = createPace(0, 3);
  for (let response = 0; response < 10; response += 1) pace.noteResponse();
  // It was 80 ms, after 40 ms were too short.
  expect(pace.gap).toBe(60);
});

test('refusals of requests that were sent before have the same reason', () => {
  const pace = new Pace();
  for (let count = 0; count < 5; count += 1) pace.noteRefusal(Number.POSITIVE_INFINITY);
  expect(pace.gap).toBe(20);
});
