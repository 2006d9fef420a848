import type { Exchange } from '../client/exchange.ts';
import { type FinishedRun, furtherOf, NOT_SHOWN, type Observers, OTHER, observe } from './finished-run.ts';

const errorFields = ['code', 'message', 'status'];

const headerOf = ({ response }: Exchange, name: string) => response?.headers[name];

const errorsOf = ({ all }: FinishedRun) =>
  all.filter(({ status, object }) => status >= 400 && typeof object?.code === 'string');

/** Observers of headers, of Errors, and of the form of animals. */
export const replyObservers: Observers = {
  errorCodes: (run) =>
    observe(errorsOf(run), ({ object }) => {
      const code = String(object?.code);
      if (/^[a-z\d]+$/.test(code)) return undefined;
      if (/^[a-z\d]+(?:_[a-z\d]+)+$/.test(code)) return 'snake';
      if (/^[a-z\d]+(?:\.[a-z\d]+)+$/.test(code)) return 'dotted';
      return /^[A-Z\d]+(?:_[A-Z\d]+)*$/.test(code) ? 'upper' : OTHER;
    }),
  errorMembers: (run) =>
    observe(errorsOf(run), ({ object = {} }) =>
      Object.keys(object).every((name) => errorFields.includes(name)) ? 'none' : 'some',
    ),
  animalMembers: ({ additions, fetches, posts }) => {
    const sent = new Set(posts.flatMap((post) => furtherOf(post.sent)));
    // Of a long body only known fields are kept.
    const whole = [...additions, ...fetches].filter(({ response }) => response?.length === undefined);
    return observe(whole, ({ animal }) => {
      const names = animal && furtherOf(animal).filter((name) => !sent.has(name));
      if (names === undefined || names.length === 0) return names && 'none';
      if (names.length > 1) return OTHER;
      return { createdAt: 'createdAt', links: 'links', _links: 'links' }[names[0] ?? ''] ?? OTHER;
    });
  },
  charset: ({ valid }) =>
    observe(valid, (exchange) => {
      const type = headerOf(exchange, 'content-type') ?? '';
      if (!exchange.isSuccess || !/^application\/json/i.test(type)) return undefined;
      if (!/charset/i.test(type)) return 'absent';
      return /;\s*charset="?utf-8"?\s*(?:;|$)/i.test(type) ? 'utf-8' : OTHER;
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
      if (deprecation !== undefined) return 'deprecation';
      return sunset === undefined ? 'none' : 'sunset';
    }),
  malformedId: ({ valid }) =>
    observe(valid, ({ path, status }) => {
      if (!/^\/pets\/(?:abc|1\.5|null)$/.test(path)) return undefined;
      return status === 400 || status === 404 ? status : OTHER;
    }),
  rateLimit: ({ all }) => {
    const refusal = all.find(({ status }) => status === 429);
    if (refusal !== undefined) return { unknown: 'it has a limit, but which one is unknown' };
    return all.length < 100 ? { unknown: NOT_SHOWN } : { value: 'none', evidence: [] };
  },
};
