import { type HttpCase, post, refusal } from '../http-case.ts';

const invalid = [400, 'invalid_request'] as const;

/** What is refused; what is accepted carries an id and a time, which a table cannot hold. Source: specification, Introductory quickstart request */
export const messageCases: readonly HttpCase[] = [
  ...['{}', '{"message":null}', '{"message":1}', '{"message":["hi"]}', '{"Message":"hi"}'].map((json) =>
    refusal(`POST /messages with ${json} is refused`, post('/messages', json), invalid, ['message']),
  ),
  ...['', '{', '"hi"', '[]'].map((json) =>
    refusal(
      `POST /messages with the body ${JSON.stringify(json)} is refused`,
      post('/messages', json),
      invalid,
      ['The body'],
    ),
  ),
  ...[undefined, 'text/plain'].map((mediaType) =>
    refusal(
      `POST /messages with the media type ${mediaType} is refused`,
      post('/messages', '{"message":"hi"}', { 'Content-Type': mediaType }),
      invalid,
      ['Content-Type must be application/json'],
    ),
  ),
  refusal(
    'POST /messages with a body above 1 MiB is refused',
    post('/messages', JSON.stringify({ message: 'x'.repeat(1024 * 1024) })),
    [413, 'payload_too_large'],
    ['1048576 bytes'],
  ),
];
