import { expect, test } from 'vitest';
import { parseJsonObject } from './parse-json-object.ts';

test('blanks in a media type take no more than their share of time', () => {
  const mediaType = `application/json${' '.repeat(400_000)}x`;
  expect(() => parseJsonObject({ mediaType, bytes: Buffer.from('{}') })).toThrow('Content-Type must be');
});
