import { choices } from '../behaviour/choices.ts';
import { codeStyles, isCode, listUsualCodes } from '../behaviour/error-codes.ts';
import { DelayBounds } from './delay-bounds.ts';
import type { Exchange } from './exchange.ts';
import { type FinishedRun, NOT_SHOWN, type Observation, type Observers, observe } from './finished-run.ts';
import { WITH_SLASH } from './lists.ts';
import { malformedIds, nameKind, UNKNOWN_PATH } from './name-kind.ts';
import { observeAnimalMembers } from './observe-animal-members.ts';
import { observeErrorMembers } from './observe-error-members.ts';

const headerOf = ({ response }: Exchange, name: string) => response?.headers[name];

/** Returns a header of the request. @param name in lower case */
function sentHeaderOf({ request }: Exchange, name: string): string | undefined {
  const entries = Object.entries(request.headers);
  return entries.find(([sent]) => sent.toLowerCase() === name)?.[1];
}

const isPreflight = (one: Exchange) => sentHeaderOf(one, 'access-control-request-method') !== undefined;

const errorsOf = ({ all }: FinishedRun) =>
  all.filter(({ status, object }) => status >= 400 && typeof object?.code === 'string');

/** Returns whether a redirect leads to the path without its slash. A gateway may have changed what is before the path. */
function isRedirectWithoutSlash(exchange: Exchange): boolean {
  // After a 301 or a 302 a client sends a POST as a GET, which no value does.
  const isRedirect = [307, 308].includes(exchange.status);
  const { base, path } = exchange.request;
  const location = URL.parse(headerOf(exchange, 'location') ?? '', base + path);
  return isRedirect && location?.pathname.endsWith(path.replace(/\/$/, '')) === true;
}

/** Observers of headers, of Errors, and of the form of animals. */
export const replyObservers: Observers = {
  errorCodes: observeErrorCodes,
  errorMembers: (run) => observeErrorMembers(run, errorsOf(run)),
  animalMembers: observeAnimalMembers,
  unknownPaths: ({ valid }) => {
    const unknown = valid.filter(({ path }) => path === UNKNOWN_PATH);
    return observe(unknown, ({ status, object, isPage }) => {
      if (status === 429) return undefined;
      if (status !== 404) return `status ${status}`;
      if (typeof object?.code === 'string') return 'error';
      return isPage ? 'html' : 'another body';
    });
  },
  unknownPathWithoutKey: ({ all }) => {
    const withoutKey = all.filter(
      (one) => one.path === UNKNOWN_PATH && !sentHeaderOf(one, 'authorization') && !isPreflight(one),
    );
    return observe(withoutKey, ({ status }) => (status === 429 ? undefined : status));
  },
  trailingSlash: ({ valid }) => {
    const withSlash = valid.filter(({ path, request }) => path === WITH_SLASH && request.method === 'GET');
    return observe(withSlash, (exchange) => {
      const { status, isSuccess, json } = exchange;
      // A 304 says only that something is there.
      if (status === 429 || status === 304) return undefined;
      if (status === 404) return 'notFound';
      if (isSuccess) return Array.isArray(json) ? 'same' : 'no list';
      return isRedirectWithoutSlash(exchange) ? 'redirect' : `status ${status}`;
    });
  },
  head: ({ valid }) => {
    const heads = valid.filter(({ request }) => request.method === 'HEAD');
    return observe(heads, ({ status }) => (status === 429 ? undefined : status));
  },
  otherMethods: ({ valid }) => {
    const others = valid.filter(
      ({ request, path }) => path === '/pets' && !/^(?:GET|HEAD|POST)$/.test(request.method),
    );
    // A service may have OPTIONS, or another method.
    return observe(others, ({ status }) => ([404, 405].includes(status) ? status : undefined));
  },
  allow: ({ all }) => {
    const refused = all.filter(({ status }) => status === 405);
    return observe(refused, (one) => (headerOf(one, 'allow') === undefined ? 'absent' : 'present'));
  },
  etag: observeETag,
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
      // A gateway may answer preflights.
      if (exchange.status !== 401 || isPreflight(exchange)) return undefined;
      return headerOf(exchange, 'www-authenticate') === undefined ? 'absent' : 'present';
    }),
  location: ({ additions }) =>
    observe(additions, (exchange) => (headerOf(exchange, 'location') === undefined ? 'absent' : 'present')),
  deprecationHeaders: ({ fetches }) =>
    observe(fetches, (exchange) => {
      if (exchange.status !== 200) return undefined;
      const names = ['deprecation', 'sunset', 'link'];
      const sent = names.filter((name) => headerOf(exchange, name) !== undefined).join(', ');
      const values = {
        '': 'none',
        link: 'none',
        'sunset, link': 'sunset',
        [names.join(', ')]: 'deprecation',
      };
      return values[sent] ?? `only ${sent}`;
    }),
  getDelay: observeGetDelay,
  malformedId: ({ valid }) =>
    observe(valid, ({ path, status, request }) => {
      const isMalformed = malformedIds.some((id) => path === `/pets/${id}`);
      return isMalformed && request.method === 'GET' && status !== 429 ? status : undefined;
    }),
  rateLimit: ({ all }) => {
    const refusal = all.find(({ status }) => status === 429);
    if (refusal !== undefined)
      return { unknown: 'it has a limit, but which one is unknown', isUndescribed: true };
    return all.length < 100 ? { unknown: NOT_SHOWN } : { value: 'none', evidence: [] };
  },
};

/** Observes which responses have an ETag, and whether a request that has it too gets a 304. */
function observeETag({ valid, lists, fetches }: FinishedRun): Observation {
  const seeTags = (reads: readonly Exchange[]) =>
    observe(reads, (one) => {
      if (one.status !== 200) return undefined;
      return headerOf(one, 'etag') === undefined ? 'none' : 'tagged';
    });
  const ofLists = seeTags(lists);
  if ('unknown' in ofLists) return ofLists;
  const ofAnimals = seeTags(fetches);
  if ('unknown' in ofAnimals) return ofAnimals;
  const areLists = ofLists.value === 'tagged';
  const areAnimals = ofAnimals.value === 'tagged';
  if (areLists !== areAnimals) return { unknown: 'responses differ' };
  if (!areLists) {
    const evidence = [...ofLists.evidence.slice(0, 1), ...ofAnimals.evidence.slice(0, 1)];
    return { value: 'none', evidence };
  }
  const asked = valid.filter((one) => sentHeaderOf(one, 'if-none-match') !== undefined);
  return observe(asked, (one) => {
    if (one.status === 304) return 'all';
    const isSame = headerOf(one, 'etag') === sentHeaderOf(one, 'if-none-match');
    // What was read may have changed.
    return one.status === 200 && isSame ? 'no 304' : undefined;
  });
}

/** Observes a style of the usual codes, or the code of each status that has only one, or else of each kind of its refusals. */
function observeErrorCodes(run: FinishedRun): Observation {
  const errors = errorsOf(run);
  const codeOf = ({ object }: Exchange) => String(object?.code);
  const isOfStyle = (style: keyof typeof codeStyles) => (exchange: Exchange) => {
    const usual = listUsualCodes(exchange.status);
    return usual.some((code) => codeOf(exchange) === codeStyles[style](code));
  };
  const styles = (Object.keys(codeStyles) as (keyof typeof codeStyles)[]).filter((style) =>
    errors.every(isOfStyle(style)),
  );
  const [style] = styles;
  // Codes of one word have more than one style, and no error at all has each.
  if (styles.length > 1) return { unknown: NOT_SHOWN };
  if (style !== undefined) return { value: style, evidence: errors.slice(0, 2) };
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  const shown = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([status, some]) => {
      const single = findSingle(some);
      return single === undefined ? findKinds(status, some, run) : [{ key: `${status}`, one: single }];
    });
  if (shown.length === 0) return { unknown: 'each status has several codes', isUndescribed: true };
  const safe = shown.filter(({ one }) => isCode(codeOf(one)) && run.hide(codeOf(one)) === codeOf(one));
  const value = Object.fromEntries(safe.map(({ key, one }) => [key, codeOf(one)]));
  return { value, evidence: safe.map(({ one }) => one).slice(0, 2) };
}

/** Returns the first of some Errors if all have the same code. */
function findSingle(errors: readonly Exchange[]): Exchange | undefined {
  const codes = new Set(errors.map(({ object }) => object?.code));
  return codes.size === 1 ? errors[0] : undefined;
}

/** Finds the kinds of refusals of a status whose Errors have one code each. Which of several codes a request gets is unknown. */
function findKinds(status: number, errors: readonly Exchange[], run: FinishedRun) {
  const byKind = Map.groupBy(errors, (one) => nameKind(one, run));
  byKind.delete(undefined);
  return [...byKind].flatMap(([kind, some]) => {
    const one = findSingle(some);
    return one === undefined ? [] : [{ key: `${status} ${kind}`, one }];
  });
}

/** Observes bounds: a 404 to the id of an added animal is a lower bound, and the animal an upper bound. */
function observeGetDelay({ additions, fetches }: FinishedRun): Observation {
  const bounds = new DelayBounds();
  const added = new Map(additions.map((one) => [one.id, one]));
  let isFetched = false;
  for (const fetched of fetches) {
    const addition = added.get(fetched.requestedId);
    if (addition === undefined) continue;
    if (fetched.status === 404) bounds.addLacking(addition, fetched);
    if (fetched.animal?.id !== addition.id) continue;
    isFetched = true;
    bounds.addShowing(addition, fetched);
  }
  return isFetched ? bounds.observe(choices.getDelay.values) : { unknown: NOT_SHOWN };
}
