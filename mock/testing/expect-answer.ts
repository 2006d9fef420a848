import type { Response } from 'supertest';
import { expect } from 'vitest';
import { parseExactJson } from '../../common/exact-json.ts';
import type { HttpAnswer } from './http-case.ts';

/** Throws unless the response is the expected answer; `method` tells whether it has a body. */
export function expectAnswer(response: Response, method: string, answer: HttpAnswer): void {
  const { status, headers = {}, body, error } = answer;
  expect(response.status, response.text).toBe(status);
  for (const [name, value] of Object.entries(headers)) expect(response.headers[name], name).toBe(value);
  if (method === 'HEAD') {
    expect(response.text ?? '').toBe('');
    return;
  }
  if (body !== undefined) expect(parseExactJson(response.text)).toEqual(body);
  if (error === undefined) return;
  expect(response.headers['content-type']).toBe('application/json');
  const { code, message, ...others } = parseExactJson(response.text) as Record<string, unknown>;
  expect({ code, ...others }).toEqual({ code: error.code, status: BigInt(status) });
  expect(message).toBeTypeOf('string');
  for (const mention of error.mentions) expect(message).toContain(mention);
}
