import { expect } from 'vitest';
import { type HttpCase, post, refusal } from '../../../testing/http-case.ts';

function refuses(what: string, body: string, status: number, mention: string, headers = {}): HttpCase {
  return refusal(`POST /messages with ${what} is refused`, post('/messages', body, headers), status, [
    mention,
  ]);
}

/** A message is queued, whatever else is in the body. */
function queues(message: string): HttpCase {
  const createdAt = '2026-11-21T12:00:00.000Z';
  const body = { id: expect.stringMatching(/./), message, status: 'queued', createdAt };
  return {
    title: `POST /messages queues ${JSON.stringify(message)}`,
    options: { now: new Date(createdAt) },
    request: post('/messages', JSON.stringify({ message, extra: 1 })),
    answer: { status: 202, headers: { 'content-type': 'application/json' }, body },
  };
}

const hi = '{"message":"hi"}';
const large = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });

/** Source: specification, Introductory quickstart request */
export const messageCases: readonly HttpCase[] = [
  ...['hi', '', 'Zoë 🐈 "quoted"\n', '\uD83D'].map(queues),
  ...['{}', '{"message":null}', '{"message":1}', '{"message":["hi"]}', '{"Message":"hi"}'].map((json) =>
    refuses(json, json, 400, 'message'),
  ),
  ...['', '{', '"hi"', '[]'].map((json) =>
    refuses(`the body ${JSON.stringify(json)}`, json, 400, 'The body'),
  ),
  ...[undefined, 'text/plain'].map((mediaType) =>
    refuses(`the media type ${mediaType}`, hi, 400, 'Content-Type must be application/json', {
      'Content-Type': mediaType,
    }),
  ),
  refuses('a body above 1 MiB', large, 413, '1048576 bytes'),
];
