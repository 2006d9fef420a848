import { type HttpCase, type HttpRequest, post, refusal } from '../http-case.ts';

function refuses(
  what: string,
  body: string,
  mention: string,
  headers: HttpRequest['headers'] = {},
): HttpCase {
  const title = `POST /messages with ${what} is refused`;
  return refusal(title, post('/messages', body, headers), [400, 'invalid_request'], [mention]);
}

/** What is refused; what is accepted carries an id and a time, which a table cannot hold. Source: specification, Introductory quickstart request */
export const messageCases: readonly HttpCase[] = [
  ...['{}', '{"message":null}', '{"message":1}', '{"message":["hi"]}', '{"Message":"hi"}'].map((json) =>
    refuses(json, json, 'message'),
  ),
  ...['', '{', '"hi"', '[]'].map((json) => refuses(`the body ${JSON.stringify(json)}`, json, 'The body')),
  ...[undefined, 'text/plain'].map((mediaType) =>
    refuses(`the media type ${mediaType}`, '{"message":"hi"}', 'Content-Type must be application/json', {
      'Content-Type': mediaType,
    }),
  ),
  refusal(
    'POST /messages with a body above 1 MiB is refused',
    post('/messages', JSON.stringify({ message: 'x'.repeat(1024 * 1024) })),
    [413, 'payload_too_large'],
    ['1048576 bytes'],
  ),
];
