import { answerWith, change } from '../deployments/changes.ts';
import { breaking } from '../deployments/deployment.ts';
import { answering, errorKinds, listKinds, unauthorizedKinds } from '../deployments/generated-deployments.ts';
import { always, hasBody, hasHeader, isMalformed } from '../deployments/messages.ts';
import { sendAs } from '../deployments/replies.ts';

const ONE_MEBIBYTE = 1_048_576;

const isLarge = hasBody((body) => body.length > 100_000);
const isHuge = hasBody((body) => body.length > ONE_MEBIBYTE);
const isNested = hasBody((body) => body.startsWith('[[[[[['));
const refuseAsText = sendAs('text/plain', 'It is refused.');

export const errorsDeployments = breaking({
  'errors/body': {
    ...answering(errorKinds, [
      'with a page',
      'without its end',
      'without a code',
      'with null for the message',
    ]),
    'refuses a large body with 413 and plain text': change.reply(isLarge, (reply) => ({
      ...refuseAsText(reply),
      status: 413,
    })),
  },
  'errors/status': answering(errorKinds, ['with another status in the body']),
  'errors/media-type': answering(errorKinds, ['as plain text']),
  'errors/no-server-fault': {
    ...answering(unauthorizedKinds, ['with status 500']),
    'answers 500 to a body over 1 MiB': answerWith(isHuge, 500),
    'answers 500 to a body that is nested deeply': answerWith(isNested, 500),
    'answers 500 to a body that says it is compressed': answerWith(
      hasHeader('content-encoding', /^gzip$/),
      500,
    ),
    'cuts the connection on a body that is malformed': answerWith(isMalformed, 'drop'),
  },
  'service/media-type': {
    ...answering([...listKinds, 'an added animal', 'an animal by its id'], ['as plain text']),
    'begins every body with a byte order mark': change.reply(always, ({ body }) => ({
      body: `\ufeff${body}`,
    })),
  },
});
