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
  /** The id of an animal that there is, in decimal digits. */
  readonly knownId: string | undefined;
  /** openapi.yaml as text. */
  readonly contract: string;
  /** JSON Schemas of response bodies, by operationId and status: `listPets 200`. */
  readonly schemas: Readonly<Record<string, object>>;
}

/** One transaction of Dredd's: a documented response, and the request that is to deserve it. */
export interface Transaction {
  /** As `listPets 200`. */
  readonly id: string;
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  /** Why it was not passed. */
  readonly message: string;
  /** As it was sent, relative to the base URL; Authorization aside. */
  readonly request: string;
}

/** What the process of Dredd reports at its end. */
export interface DreddReport {
  /** Whether the hooks have been at work; without them Dredd would ask for other things, and say nothing. */
  readonly hasHooks: boolean;
  readonly transactions: readonly Transaction[];
  /** What Dredd itself ended with. */
  readonly error: string | undefined;
}
