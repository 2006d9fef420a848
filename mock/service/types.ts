import type { ApiError } from '../../common/http/api-error.ts';
import type { Headers, ReplyError } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import type { NewPet, Pet } from '../../common/json/pet.ts';
import type { ServiceContract } from './contract.ts';
import type { PetStore } from './pet-store.ts';

/** The parts of URLSearchParams that are read. The class itself would require the DOM or Node in the types of the package. */
export interface Query extends Iterable<[string, string]> {
  getAll(name: string): string[];
}

/** A request of the service, in plain values. */
export interface Ask {
  /** Undefined if the path does not have the method. */
  readonly operation: OperationName | undefined;
  readonly method: string;
  /** Path from `/v1` or `/messages` on, percent-encoded. */
  readonly path: string;
  readonly query: Query;
  /** The query as it was sent, with its `?`. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes, or the error of a body that could not be read. */
  readonly body: Uint8Array | ApiError;
  /** Path of the base URL that the client uses, such as `/v1`, for links. */
  readonly basePath: string;
  /** What a hook has found in the request, for a later hook of the same choice. */
  readonly marks: Readonly<Record<string, readonly string[]>>;
}

/** What an answer depends on, in addition to the request. */
export interface World {
  readonly contract: ServiceContract;
  readonly store: PetStore;
  readonly apiKeys: readonly string[];
  /** Time of the service. */
  readonly now: Date;
  /** Time since any start in milliseconds, which is never fixed. */
  readonly clock: number;
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  /** Returns an id for a message. */
  readonly createId: () => string;
}

/** A response before it is printed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Animals, an animal or a message. An error has none. */
  readonly value?: ExactJson | readonly Pet[] | Pet;
  readonly error?: ReplyError;
  /** Further members of the Error. */
  readonly errorMembers?: JsonObject;
  /** Body that is not JSON. */
  readonly text?: string;
}

/** The places where a service may do something else where the specification says nothing. Each hook is called in the order of the list. */
export interface Hook {
  /** Changes what the client asks for, before anything looks at it. @throws ApiError to refuse it */
  request?(ask: Ask, world: World): Ask;
  /** Changes a valid animal before it is stored. @throws ApiError to refuse it */
  pet?(pet: NewPet, body: JsonObject, world: World, ask: Ask): NewPet;
  /** Makes the id of a new animal. It is called again for an id that is in use. */
  id?(next: bigint, world: World): bigint;
  /** Chooses and arranges the animals that match, before the limit. */
  list?(pets: Iterable<Pet>, ask: Ask, world: World): Iterable<Pet>;
  reply?(answer: Answer, ask: Ask, world: World): Answer;
}
