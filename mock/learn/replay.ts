import type { Reply } from '../../common/http/reply.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { CREATE, GAPS, LIST, NEW_PET } from '../choices/choice.ts';
import { type Behaviour, type ChoiceName, choiceOf } from '../choices/choices.ts';
import { type Contents, createContents } from '../service/pet-store.ts';
import { describeReply, type Features } from './describe-reply.ts';
import { History } from './history.ts';
import { type Asked, predict } from './predict.ts';
import type { Recording, Seen } from './read-recording.ts';
import { FULL_STATUSES } from './several-responses.ts';

/** A reply of the mock, in place of the recorded response. */
export interface Replayed {
  readonly reply: Reply;
  readonly features: Features;
}

/** The store has the order of the recorded lists, and ids and further members decide about nothing else. */
const plain = { order: 'newest', ids: 'next', animalMembers: 'none', errorMembers: 'none' } as const;

/** How many requests of each shape are replayed. */
const MOST_OF_SHAPE = 2;

/** Fewer animals may have the same status by chance, if the order of lists is unknown. */
const MANY_ANIMALS = 12;

/** An animal that nobody has seen may have a name of so many characters by chance. */
const LONGEST_USUAL = 20;

/** Answers the requests of a recording again, as the mock with any behaviour would have. */
export class Replay {
  readonly all: readonly Seen[];
  readonly chosen: readonly Seen[];
  readonly history: History;
  /** The order of lists, once it is known. */
  order: Behaviour['order'] | undefined;
  /** False once it is known which requests each choice decides about. */
  isFirstRound = true;
  readonly #relevant = new Map<ChoiceName, Set<Seen>>();
  /** Number of replies so far. */
  count = 0;
  readonly #apiKeys: readonly string[];
  readonly #asked = new Map<Seen, Asked>();
  readonly #worlds = new Map<Seen, readonly Contents[]>();
  readonly #features = new Map<Seen, Features>();
  #usual: { readonly behaviour?: Behaviour; readonly replies: Map<Seen, readonly Replayed[]> } = {
    replies: new Map(),
  };
  readonly #known = new Map<Seen, Map<string, Features>>();

  constructor({ exchanges, apiKeys }: Recording) {
    this.all = exchanges;
    this.history = new History(exchanges);
    this.#apiKeys = apiKeys;
    const last = this.history.additions.at(-1)?.at ?? 0;
    const usable = exchanges.filter((one) => isOfService(one) && !(isRefusedAsFull(one) && one.at > last));
    const shapes = new Map<string, number>();
    this.chosen = usable.filter((seen) => {
      const shape = `${shapeOf(seen)} ${this.history.isTaken(seen)}`;
      shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
      return (shapes.get(shape) ?? 0) <= MOST_OF_SHAPE;
    });
  }

  /** Returns the exchanges that may show a choice. */
  chosenFor(name: ChoiceName): readonly Seen[] {
    if (!this.isFirstRound) return [...(this.#relevant.get(name) ?? [])];
    const { silentAt } = choiceOf(name);
    if ([CREATE, GAPS, NEW_PET].includes(silentAt))
      return this.chosen.filter(({ method }) => method === 'POST');
    if (silentAt === LIST)
      return this.chosen.filter(({ method, path }) => method === 'GET' && isOfLists(path));
    return this.chosen;
  }

  /** Notes that the value of a choice decides about the reply to a request. */
  noteRelevant(name: ChoiceName, seen: Seen): void {
    this.#relevant.set(name, (this.#relevant.get(name) ?? new Set()).add(seen));
  }

  /** Returns whether another behaviour answers one of the requests otherwise that a choice decides about. */
  async isChanged(name: ChoiceName, usual: Behaviour, changed: Behaviour): Promise<boolean> {
    for (const seen of this.#relevant.get(name) ?? []) {
      const replies = await this.askUsual(seen, usual, name);
      const others = await this.ask(seen, changed, name);
      if (replies.some(({ features }, index) => features !== others[index]?.features)) return true;
    }
    return false;
  }

  /** Describes the recorded response. */
  describe(seen: Seen): Features {
    const known = this.#features.get(seen);
    if (known !== undefined) return known;
    const { method, status, received, text } = seen;
    const features = describeReply(method, { status, headers: received, text });
    this.#features.set(seen, features);
    return features;
  }

  /** Returns whether the recording does not show a feature of the response, or nobody can predict it. */
  isUnknown(seen: Seen, feature: string): boolean {
    const isOfBody = feature !== 'status' && !feature.startsWith('header ');
    if (isOfBody && seen.text === undefined) return true;
    if (feature === 'ids') return !this.history.isSteady(seen, this.order);
    if (feature !== 'without status') return false;
    // Without an order, the first animals of a list may be any.
    const length = Number(this.describe(seen).get('length') ?? 0);
    return !this.history.isOrdered(seen, this.order) && length >= this.history.mostOf(seen);
  }

  /** Returns what the mock may have answered: one reply for each store that the service may have had. */
  async ask(seen: Seen, behaviour: Behaviour, name?: ChoiceName): Promise<readonly Replayed[]> {
    const replies: Replayed[] = [];
    for (const animals of this.#worldsOf(seen, name, behaviour)) {
      this.count += 1;
      const world = { behaviour: { ...behaviour, ...plain }, animals, apiKeys: this.#apiKeys };
      const reply = await predict(this.#askedOf(seen), world);
      replies.push({ reply, features: this.#describeReply(seen, reply) });
    }
    return replies;
  }

  /** Returns the same for a behaviour of which many choices are asked for. */
  async askUsual(seen: Seen, behaviour: Behaviour, name: ChoiceName): Promise<readonly Replayed[]> {
    if (this.#usual.behaviour !== behaviour) this.#usual = { behaviour, replies: new Map() };
    const { replies } = this.#usual;
    const key = name === 'uniqueNames' ? undefined : seen;
    const known = key && replies.get(key);
    if (known !== undefined) return known;
    const asked = await this.ask(seen, behaviour, name);
    if (key !== undefined) replies.set(key, asked);
    return asked;
  }

  #describeReply(seen: Seen, { status, headers, body }: Reply): Features {
    const known = this.#known.get(seen) ?? new Map<string, Features>();
    this.#known.set(seen, known);
    const key = `${status} ${JSON.stringify(headers)} ${body}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const text = seen.method === 'HEAD' ? '' : body;
    const features = describeReply(seen.method, { status, headers: Object.fromEntries(lower), text });
    known.set(key, features);
    return features;
  }

  #askedOf(seen: Seen): Asked {
    const known = this.#asked.get(seen);
    if (known !== undefined) return known;
    const { 'if-none-match': tag, prefer: _, ...headers } = seen.headers;
    // The mock makes other tags. What matters is whether the client had the right one.
    const isKnownTag = tag !== undefined && (seen.status === 304 || seen.received.etag === tag);
    const { method, path, body, at } = seen;
    const asked = {
      method,
      path,
      body,
      at,
      headers: isKnownTag ? { ...headers, 'if-none-match': '*' } : headers,
    };
    this.#asked.set(seen, asked);
    return asked;
  }

  /** Returns the stores that the service may have had when it received a request. */
  #worldsOf(seen: Seen, name: ChoiceName | undefined, { uniqueNames }: Behaviour): readonly Contents[] {
    const worlds = this.#worlds.get(seen) ?? this.#createWorlds(seen);
    this.#worlds.set(seen, worlds);
    // An animal that nobody has seen explains every refusal of a name, so it says nothing about whether names have to be unique.
    const isOfNew = seen.method === 'POST' && (name === 'uniqueNames' || uniqueNames === 'no');
    return isOfNew ? worlds.slice(0, 1) : worlds;
  }

  /** Without an order, the first animals of a list may have any status. In a long list they have several. */
  #createListWorlds(seen: Seen): readonly Contents[] {
    const store = this.history.storeOfLists(seen, this.order);
    const length = Number(this.describe(seen).get('length') ?? 0);
    const isFirst = length > 0 && length < MANY_ANIMALS && length >= this.history.mostOf(seen);
    if (!isFirst || this.history.isOrdered(seen, this.order)) return [store];
    const last = petStatuses.map((status) =>
      createContents([
        ...store.all.filter((pet) => pet.status !== status),
        ...store.all.filter((pet) => pet.status === status),
      ]),
    );
    return [store, ...last];
  }

  #createWorlds(seen: Seen): readonly Contents[] {
    const { method, path, status, sent } = seen;
    if (isOfLists(path) && method !== 'POST') return this.#createListWorlds(seen);
    const [, id] = /^\/pets\/(-?\d+)/.exec(path) ?? [];
    if (method !== 'POST') {
      const requested = this.history.knownBefore(seen).filter((pet) => `${pet.id}` === id && status !== 404);
      const shown = this.history.shownBy(seen);
      return [createContents(shown.length > 0 ? shown : requested)];
    }
    const pets = this.history.knownBefore(seen);
    const worlds = [createContents(pets)];
    if (typeof sent.name === 'string' && sent.name.length <= LONGEST_USUAL && status >= 400) {
      const namesake = { id: -1n, name: sent.name, categoryId: pets[0]?.categoryId ?? 1n };
      worlds.push(createContents([...pets, namesake]));
    }
    return worlds;
  }
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

function isRefusedAsFull({ method, status }: Seen): boolean {
  return method === 'POST' && FULL_STATUSES.includes(status);
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
