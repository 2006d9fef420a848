import { expect, test } from 'vitest';
import { readOrigins } from './read-origins.ts';

test('the origins are those of each URL, once', () => {
  const origins = readOrigins({
    baseURL: 'http://127.0.0.1:3000/app',
    mockOrigins: ['https://127.0.0.1:5402', 'http://127.0.0.1:3000'],
  });
  expect([...origins]).toEqual(['http://127.0.0.1:3000', 'https://127.0.0.1:5402']);
});

test('an option that is left out has no origin', () => {
  expect(readOrigins({ baseURL: undefined, mockOrigins: [] }).size).toBe(0);
});

test.for([
  [{ mockOrigins: ['127.0.0.1:5402'] }, 'mockOrigins has "127.0.0.1:5402"'],
  [{ mockOrigins: ['localhost:5402'] }, 'mockOrigins has "localhost:5402"'],
  [{ mockUrl: '' }, 'mockUrl has ""'],
  [{ mockUrl: 4010 as never }, 'mockUrl has 4010'],
  [{ baseURL: '/app' }, 'baseURL has "/app"'],
] as const)('%j is refused by its name', ([options, message]) => {
  expect(() => readOrigins(options)).toThrow(
    `The option ${message}. Give a URL with its scheme, such as http://127.0.0.1:3000.`,
  );
});
