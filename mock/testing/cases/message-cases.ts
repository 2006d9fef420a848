import { type HttpCase, post, refusal } from '../http-case.ts';

function refuses(what: string, body: string, status: number, mention: string, headers = {}): HttpCase {
  return refusal(`POST /messages with ${what} is refused`, post('/messages', body, headers), status, [
    mention,
  ]);
}

const hi = '{"message":"hi"}';
const large = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });

/** What is refused; what is accepted carries an id and a time, which a table cannot hold. Source: specification, Introductory quickstart request */
export const messageCases: readonly HttpCase[] = [
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
