import { fileURLToPath } from 'node:url';
import type { Events } from '../../common/control/create-events.ts';
import { type AnswerLine, answerWithJson, writeReply } from '../../common/control/find-answer.ts';
import { createWatchAnswers } from '../../common/control/watch-answers.ts';
import type { Service } from '../control/create-service.ts';
import { adminRoutes, type Common } from './admin-routes.ts';
import { createDocumentReply, documentFormats } from './create-document-reply.ts';
import { describeState } from './describe-state.ts';

/** The OpenAPI document of the control API: in a checkout, and beside what the published package was built to. */
export const controlApiFile: string = fileURLToPath(new URL('../control-api.yaml', import.meta.url));

/** Creates what the control API of the mock answers. */
export function createAdminAnswers(
  { sessions, verifications }: Common,
  events: Events,
): AnswerLine<Service>[] {
  const driven = Object.entries(adminRoutes).map(
    ([line, operate]): AnswerLine<Service> => [
      line,
      answerWithJson(({ control }, input) => operate(control, input, sessions)),
    ],
  );
  const watched = createWatchAnswers<Service>({
    ...{ events, verifications, control: ({ control }) => control },
    watched: (service) => ({
      journal: service.journal,
      violations: service.violations,
      describeState: () => describeState(service, verifications),
      hasEnded: () => !sessions.isKept(service),
    }),
    own: ({ operations, settings }, host) => ({
      baseUrl: `http://${host}${operations.basePath}`,
      apiKey: settings.apiKeys[0],
    }),
  });
  const documents = documentFormats.map(
    (format): AnswerLine<Service> => [
      `GET /openapi.${format}`,
      async ({ operations }, { headers: { host } }, response) => {
        const path = operations.basePath.replace(/\/v1$/, '');
        writeReply(response, await createDocumentReply(controlApiFile, format, host, path));
      },
    ],
  );
  return [...driven, ...watched, ...documents];
}
