import type { Reply } from '../../common/http/reply.ts';
import type { Pet } from '../../common/json/pet.ts';
import { type Behaviour, hooksOf } from '../choices/choices.ts';
import { type Contents, createContents } from '../service/pet-store.ts';
import type { Ask, Hook } from '../service/types.ts';
import { animalsIn, describeReply, type Features } from './describe-reply.ts';
import type { History } from './history.ts';
import { predict, toAsk } from './predict.ts';
import type { Recording, Seen } from './read-recording.ts';

export interface Replayed {
  readonly reply: Reply;
  readonly features: Features;
}

/** A recorded exchange whose request the mock answers again. */
export interface Case {
  readonly seen: Seen;
  readonly ask: Ask;
  /** What the recorded response is like. */
  readonly real: Features;
  /** The store that the service may have had when it received the request. */
  readonly store: Contents;
  /** The replies so far, so that those that are alike have the same features. */
  readonly known: Map<string, Features>;
}

/** The store has the order of the recorded lists, and ids and further members decide about nothing else. */
const plain = { order: 'newest', ids: 'next', animalMembers: 'none', errorMembers: 'none' } as const;

const MOST_OF_SHAPE = 2;

/** Answers the requests of a recording again, as the mock with any behaviour would have. */
export class Replay {
  readonly all: readonly Seen[];
  /** A few exchanges of each shape. */
  readonly cases: readonly Case[];
  readonly history: History;
  readonly #apiKeys: readonly string[];
  readonly #hooks = new WeakMap<Behaviour, readonly Hook[]>();
  readonly #replies = new WeakMap<Behaviour, Map<Case, Replayed>>();

  constructor({ exchanges, apiKeys }: Recording, history: History) {
    this.all = exchanges;
    this.history = history;
    this.#apiKeys = apiKeys;
    const usable = exchanges.filter((one) => isOfService(one) && !history.isContested(one));
    const alike = Map.groupBy(usable, (seen) => `${shapeOf(seen)} ${history.isTaken(seen)}`);
    const few = new Set([...alike.values()].flatMap((seen) => seen.slice(0, MOST_OF_SHAPE)));
    this.cases = usable
      .filter((seen) => few.has(seen))
      .map((seen) => {
        const { method, status, received, text } = seen;
        const real = describeReply(method, { status, headers: received, text });
        return { seen, ask: toAsk(seen), real, store: createStore(seen, history), known: new Map() };
      });
  }

  /** Returns whether the recording does not show a feature of the response, or nobody can predict it. */
  isUnknown({ seen, real }: Case, feature: string, predicted: Features): boolean {
    const isOfBody = feature !== 'status' && !feature.startsWith('header ');
    if (isOfBody && seen.text === undefined) return true;
    // If the mock lists more animals than the full page that was recorded, or fewer, any may be those that differ.
    const isOfStatuses = feature === 'statuses' || feature === 'without status';
    return isOfStatuses && isFull(seen, this.history) && predicted.get('length') !== real.get('length');
  }

  answer(one: Case, behaviour: Behaviour): Replayed {
    const known = this.#replies.get(behaviour) ?? new Map<Case, Replayed>();
    this.#replies.set(behaviour, known);
    const replied = known.get(one) ?? this.#answer(one, behaviour);
    known.set(one, replied);
    return replied;
  }

  #answer({ seen, ask, store: animals, known }: Case, behaviour: Behaviour): Replayed {
    const hooks = this.#hooks.get(behaviour) ?? hooksOf({ ...behaviour, ...plain });
    this.#hooks.set(behaviour, hooks);
    const reply = predict(ask, { animals, apiKeys: this.#apiKeys, hooks, at: seen.at });
    const key = `${reply.status} ${JSON.stringify(reply.headers)} ${reply.body}`;
    const features = known.get(key) ?? describePrediction(seen, reply);
    known.set(key, features);
    return { reply, features };
  }
}

function describePrediction({ method }: Seen, { status, headers, body }: Reply): Features {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const text = method === 'HEAD' ? '' : body;
  return describeReply(method, { status, headers: Object.fromEntries(lower), text });
}

function createStore(seen: Seen, history: History): Contents {
  const { method, path, status } = seen;
  if (method === 'POST') return createContents(history.knownBefore(seen));
  if (isOfLists(path)) return history.storeOfLists(seen);
  const shown = history.shownBy(seen);
  const [, id] = /^\/pets\/(-?\d+)/.exec(path) ?? [];
  const isRequested = (pet: Pet) => `${pet.id}` === id && status !== 404;
  return createContents(shown.length > 0 ? shown : history.knownBefore(seen).filter(isRequested));
}

/** Returns whether a list may lack animals that match. */
function isFull(seen: Seen, history: History): boolean {
  const { length } = animalsIn(seen.json);
  return length > 0 && length >= history.mostOf(seen);
}

const isOfLists = (path: string) => /^\/pets\/?(?:\?|$)/.test(path);

/** Returns whether a response is of the service, and not of a gateway before it or of a limited rate. */
function isOfService({ status, method, headers, body }: Seen): boolean {
  const isUnread =
    method === 'POST' &&
    (headers['content-encoding'] !== undefined ||
      (body.length === 0 && Number(headers['content-length'] ?? 0) > 0));
  return status !== 429 && status < 500 && !isUnread;
}

/** Names what is alike in requests that differ in ids and names only, and in their responses. */
function shapeOf({ method, path, headers, body, status, received }: Seen): string {
  const text = new TextDecoder().decode(body.subarray(0, 2_000));
  return [
    method,
    path.replace(/\d{4,}/g, 'N'),
    status,
    received.location !== undefined,
    text.replace(/[\w .-]{12,}/g, (part) => `x${part.length}`).slice(0, 120),
    (headers.authorization ?? '').slice(0, 7),
    headers['content-type'],
    headers['if-none-match'] === undefined,
  ].join(' ');
}
