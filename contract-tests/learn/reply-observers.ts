import type { Exchange } from '../client/exchange.ts';
import { type FinishedRun, furtherOf, NOT_SHOWN, type Observers, observe } from './finished-run.ts';

const headerOf = ({ response }: Exchange, name: string) => response?.headers[name];

const errorsOf = ({ all }: FinishedRun) =>
  all.filter(({ status, object }) => status >= 400 && typeof object?.code === 'string');

/** Ids of the suite that are no int64, and show how a deployment answers them. */
export const malformedIds: readonly string[] = ['abc', '1.5', 'null'];

/** Observers of headers, of Errors, and of the form of animals. */
export const replyObservers: Observers = {
  errorCodes: (run) =>
    observe(errorsOf(run), ({ object }) => {
      const code = String(object?.code);
      if (/^[a-z\d]+$/.test(code)) return undefined;
      if (/^[a-z\d]+(?:_[a-z\d]+)+$/.test(code)) return 'snake';
      if (/^[a-z\d]+(?:\.[a-z\d]+)+$/.test(code)) return 'dotted';
      return /^[A-Z\d]+(?:_[A-Z\d]+)*$/.test(code) ? 'upper' : 'another style';
    }),
  errorMembers: (run) =>
    observe(errorsOf(run), ({ object = {} }) =>
      Object.keys(object).every((name) => /^(?:code|message|status)$/.test(name)) ? 'none' : 'some',
    ),
  animalMembers: ({ additions, fetches, posts }) => {
    const sent = new Set(posts.flatMap((post) => furtherOf(post.sent)));
    // Of a long body only known fields are kept.
    const whole = [...additions, ...fetches].filter(({ response }) => response?.length === undefined);
    return observe(whole, ({ animal }) => {
      const names = animal && furtherOf(animal).filter((name) => !sent.has(name));
      return names && (names.join().replace('_links', 'links') || 'none');
    });
  },
  charset: ({ valid }) =>
    observe(valid, (exchange) => {
      const type = headerOf(exchange, 'content-type') ?? '';
      if (!exchange.isSuccess || !/^application\/json/i.test(type)) return undefined;
      const [, charset = 'absent'] = /;\s*charset="?([^";\s]*)/i.exec(type) ?? [];
      return charset.toLowerCase();
    }),
  schemeCase: ({ all, target }) => {
    const authorization = `bearer ${target.apiKey}`;
    const lower = all.filter(({ request }) => request.headers.Authorization === authorization);
    return observe(lower, ({ status, isSuccess }) => {
      if (status === 401) return 'exact';
      return isSuccess ? 'any' : undefined;
    });
  },
  challenge: ({ all }) =>
    observe(all, (exchange) => {
      if (exchange.status !== 401) return undefined;
      return headerOf(exchange, 'www-authenticate') === undefined ? 'absent' : 'present';
    }),
  location: ({ additions }) =>
    observe(additions, (exchange) => (headerOf(exchange, 'location') === undefined ? 'absent' : 'present')),
  deprecationHeaders: ({ fetches }) =>
    observe(fetches, (exchange) => {
      if (exchange.status !== 200) return undefined;
      const [deprecation, sunset] = ['deprecation', 'sunset'].map((name) => headerOf(exchange, name));
      if (deprecation !== undefined) return sunset === undefined ? 'Deprecation only' : 'deprecation';
      return sunset === undefined ? 'none' : 'sunset';
    }),
  malformedId: ({ valid }) =>
    observe(valid, ({ path, status }) => {
      const isMalformed = malformedIds.some((id) => path === `/pets/${id}`);
      return isMalformed && status !== 429 ? status : undefined;
    }),
  rateLimit: ({ all }) => {
    const refusal = all.find(({ status }) => status === 429);
    if (refusal !== undefined)
      return { unknown: 'it has a limit, but which one is unknown', isUndescribed: true };
    return all.length < 100 ? { unknown: NOT_SHOWN } : { value: 'none', evidence: [] };
  },
};
