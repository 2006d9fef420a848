/** What Dredd is to do; it crosses to a process of its own. */
export interface DreddJob {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly allowsWrites: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the animal that is added. */
  readonly name: string;
  /** In decimal digits. */
  readonly categoryId: string;
  /** Whether GET /pets/{petId} is gone, as was announced. */
  readonly isRemoved: boolean;
  /** The id of an animal that there is, in decimal digits. */
  readonly knownId: string | undefined;
  /** openapi.yaml as text. */
  readonly contract: string;
  /** JSON Schemas of response bodies, by operationId and status: `listPets 200`. */
  readonly schemas: Readonly<Record<string, object>>;
  /** How long an answer may take, in milliseconds. */
  readonly timeout: number;
  /** The time between two requests, at least, in milliseconds. */
  readonly interval: number;
  /** What was tried before, by its id, and is not to be tried again. */
  readonly done: readonly string[];
  /** The path of the file of hooks. */
  readonly hooks: string;
}

/** One transaction of Dredd's: a documented response, and the request that is to deserve it. */
export interface Transaction {
  /** As `listPets 200`. */
  readonly id: string;
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  /** Why it was not passed. */
  readonly message: string;
  /** Undefined for one that was not tried. */
  readonly request: DreddRequest | undefined;
  /** Undefined when none came. */
  readonly response: DreddResponse | undefined;
}

/** A request as Dredd made it. */
export interface DreddRequest {
  readonly method: string;
  /** Relative to the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A response as Dredd got it. */
export interface DreddResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there was none. */
  readonly body: string | undefined;
}

/** What the process of Dredd reports at its end. */
export interface DreddReport {
  /** Whether the hooks have been at work; without them Dredd would ask for other things, and say nothing. */
  readonly hasHooks: boolean;
  readonly transactions: readonly Transaction[];
  /** What Dredd itself ended with. */
  readonly error: string | undefined;
}
