import { ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { readTime } from '../../common/real-time.ts';
import { type Difference, hooksOf } from '../choices/choices.ts';
import type { EffectCounts } from '../choices/count-effects.ts';
import { answer, operationOf } from '../service/answer.ts';
import type { ServiceContract } from '../service/contract.ts';
import { type Contents, PetStore } from '../service/pet-store.ts';
import { printAnswer } from '../service/print-answer.ts';
import type { Ask, World } from '../service/types.ts';
import { type Animals, createAnimals } from './animals.ts';
import type { Call } from './call.ts';
import { createRandom } from './create-random.ts';
import { isRoundedId } from './is-rounded-id.ts';
import type { Outcome } from './outcome.ts';
import type { Plugin } from './plugin.ts';
import { createPlugins, type Plugins, type PluginsConfig } from './plugins.ts';
import type { Secrets } from './secrets.ts';
import { expectName } from './session-name.ts';
import type { SettingChanges, Settings } from './setting-changes.ts';
import { changeSettings, redactSettings } from './settings.ts';

export interface SessionConfig extends PluginsConfig {
  readonly contract: ServiceContract;
  readonly settings: Settings;
  readonly profiles: {
    readonly list: readonly ProfileSummary[];
    create(name: string): Promise<Contents>;
  };
  readonly secrets: Secrets;
  readonly start: () => Contents;
  /** Returns the base URL of the checked proxy, once it is listening. */
  readonly readCheckedUrl: () => string | undefined;
  /** Counts which values would have changed responses, in all sessions. */
  readonly effects?: EffectCounts | undefined;
}

/** Animals that a store can be filled with. */
export interface ProfileSummary {
  readonly name: string;
  /** Number of animals. */
  readonly animals: number;
  /** Description of the animals, in a few words. */
  readonly purpose: string;
}

export interface RestoreOptions {
  /** Name of another snapshot: nothing is restored if the animals have changed since that snapshot. */
  readonly unchangedSince?: string;
}

const MOST_SNAPSHOTS = 100;

/** Advice for an app that has asked for an id which its JSON parser rounded. */
const ROUNDED = 'an animal exists whose id a double rounds to this one: read ids as text';

function addHint(reply: Reply, { path }: Ask, store: PetStore): Reply {
  const { error } = reply;
  const isOfAnimal = error?.kind === 'animal' || error?.kind === 'petId';
  const isRounded = isOfAnimal && isRoundedId(path.slice('/v1/pets/'.length), store);
  return isRounded ? { ...reply, error: { ...error, hint: error.hint ?? ROUNDED } } : reply;
}

const createId = () => crypto.randomUUID();

/** Returns whether the plain service answers. */
const isUsual = (behaviour: Difference) => Object.keys(behaviour).length === 0;

/** A store of animals with its faults, requests, violations, settings and snapshots. The mock is the session without a name. */
export class Session {
  readonly name: string | undefined;
  readonly basePath: string;
  readonly startedAt = new Date(readTime());
  readonly animals: Animals;
  readonly plugins: Plugins;
  settings: Settings;
  /** Another object after each reset. Requests under way keep theirs. */
  store: PetStore;
  /** Set by a program, or a change over the control API. */
  isControlled = false;
  /** Counts which values would change the responses of the plain service, while somebody asks for it. */
  effects: EffectCounts | undefined;
  readonly #config: SessionConfig;
  readonly #list: readonly Plugin[];
  readonly #snapshots = new Map<string, Contents>();
  /** Returns numbers from 0 up to 1; another function after each reset. */
  random: () => number;

  /** @param lastFaultId The ids of its faults are larger. */
  constructor(config: SessionConfig, name?: string, lastFaultId = 0) {
    this.#config = config;
    this.name = name;
    this.basePath = name === undefined ? '/v1' : `/sessions/${name}/v1`;
    this.animals = createAnimals(() => this.store, config.contract);
    this.plugins = createPlugins(config, lastFaultId);
    this.#list = Object.values(this.plugins);
    this.settings = config.settings;
    this.effects = config.effects;
    this.random = createRandom(config.seed);
    this.store = new PetStore(config.start());
  }

  /** Base URL of the checked proxy for this session; undefined without a checked proxy. */
  get checkedUrl(): string | undefined {
    const base = this.#config.readCheckedUrl();
    return base && new URL(this.basePath, base).href;
  }

  readonly now = (): Date => this.settings.now ?? new Date(readTime());

  /**
   * Changes settings, until a reset, and returns all of them.
   * @throws Error with the `code` `invalid_request`, naming what is wrong.
   */
  configure(changes: SettingChanges): Settings {
    this.settings = changeSettings(this.settings, changes);
    this.#config.secrets.add(this.settings.apiKeys);
    return this.showSettings();
  }

  /** Returns the settings, with `[key]` for each key. */
  showSettings(): Settings {
    return redactSettings(this.settings);
  }

  /** Takes in a request. @returns the outcome, if a plugin answers it before the service does */
  async enter(call: Call): Promise<Outcome | undefined> {
    for (const plugin of this.#list) plugin.arrived?.(call);
    for (const plugin of this.#list) {
      const waiting = plugin.before?.(call);
      const outcome = waiting && (await waiting);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }

  /** Tells the plugins the body of a request. */
  received(call: Call, body: Uint8Array): void {
    for (const plugin of this.#list) plugin.received?.(call, body);
  }

  /** Returns what the client receives, after the plugins have changed it, and tells them. */
  leave(call: Call, made: Outcome): Outcome {
    const outcome = this.#list.reduce((one, plugin) => plugin.after?.(one, call) ?? one, made);
    for (const plugin of this.#list) plugin.ended?.(call, outcome);
    return outcome;
  }

  /** Returns the operation that a request asks for, as the behaviour has it. */
  findOperation(ask: Ask, store: PetStore): OperationName | undefined {
    const { behaviour } = this.settings;
    return isUsual(behaviour)
      ? ask.operation
      : operationOf(ask, this.#createWorld(store), hooksOf(behaviour));
  }

  /** Answers a request of the service. @param store which the session had when the request entered it. */
  answer(ask: Ask, store: PetStore): Reply {
    const reply = this.#answer(ask, this.#createWorld(store));
    this.effects?.count(reply);
    return addHint(reply, ask, store);
  }

  #answer(ask: Ask, world: World): Reply {
    const { behaviour } = this.settings;
    const counted = isUsual(behaviour) ? this.effects?.answer(ask, world) : undefined;
    return counted ?? printAnswer(answer(ask, world, hooksOf(behaviour)));
  }

  #createWorld(store: PetStore): World {
    const { random, settings } = this;
    const { contract } = this.#config;
    const clock = readTime();
    const now = settings.now ?? new Date(clock);
    return { contract, store, apiKeys: settings.apiKeys, now, clock, random, createId };
  }

  /** Replaces the animals; requests under way do not see the new ones. */
  open(contents: Contents): void {
    this.store = new PetStore(contents, this.store.version);
  }

  /** Puts everything back as it started. Snapshots stay. */
  reset(): void {
    for (const plugin of this.#list) plugin.reset?.();
    this.open(this.#config.start());
    this.settings = this.#config.settings;
    this.random = createRandom(this.#config.seed);
  }

  close(): void {
    for (const plugin of this.#list) plugin.close?.();
  }

  /**
   * Keeps the animals, and the next id, under a name; it replaces the snapshot with this name.
   * @param name up to 64 letters, digits, `.`, `_` and `-`.
   * @throws Error with the `code` `invalid_request` for another name, and for a snapshot too many.
   */
  snapshot(name: string): void {
    expectName('A snapshot', name);
    if (this.#snapshots.size === MOST_SNAPSHOTS && !this.#snapshots.has(name))
      throw invalidRequest(`The mock has ${MOST_SNAPSHOTS} snapshots, the maximum. Delete one first.`);
    this.#snapshots.set(name, this.store.snapshot());
  }

  /** Returns the names of the snapshots, in the order in which they were taken first, without names that begin with a dot. */
  snapshots(): string[] {
    return [...this.#snapshots.keys()].filter((name) => !name.startsWith('.'));
  }

  /**
   * Puts the animals of a snapshot back.
   * @throws Error with the `code` `not_found`, or `invalid_request` if the animals have changed since `unchangedSince`.
   */
  restore(name: string, { unchangedSince }: RestoreOptions = {}): void {
    const contents = this.#findSnapshot(name);
    // The store copies its contents before a change.
    const isSame = (other: string) => this.#findSnapshot(other) === this.store.snapshot();
    if (unchangedSince !== undefined && !isSame(unchangedSince))
      throw new ApiError('invalid_request', `The animals have changed since the snapshot ${unchangedSince}.`);
    this.open(contents);
  }

  /** Removes a snapshot. @throws Error with the `code` `not_found` */
  removeSnapshot(name: string): void {
    this.#findSnapshot(name);
    this.#snapshots.delete(name);
  }

  /** Returns the profiles that `fill` takes. */
  profiles(): ProfileSummary[] {
    return [...this.#config.profiles.list];
  }

  /**
   * Replaces all animals with the animals of a profile, in its usual number, from the seed of the mock. A reset still goes
   * back to the animals of the start.
   * @throws Error with the `code` `not_found`
   */
  async fill(name: string): Promise<void> {
    const { list, create } = this.#config.profiles;
    const names = list.map((profile) => profile.name);
    if (!names.includes(name)) throw notFound('profile', name, names);
    this.open(await create(name));
  }

  #findSnapshot(name: string): Contents {
    const snapshot = this.#snapshots.get(name);
    if (snapshot === undefined) throw notFound('snapshot', name, this.snapshots());
    return snapshot;
  }
}

function notFound(what: string, name: string, names: readonly string[]): ApiError {
  const known = names.join(', ') || 'none';
  return new ApiError('not_found', `No ${what} is called ${describeValue(name)}. Known: ${known}.`);
}
