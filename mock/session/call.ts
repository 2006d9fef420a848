import { ApiError } from '../../common/http/api-error.ts';
import type { KeyName } from '../../common/journal/journal-entry.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { performance, readTime } from '../../common/real-time.ts';
import type { PetStore } from '../service/pet-store.ts';
import { nameKey } from '../service/refuse-key.ts';
import type { Query } from '../service/types.ts';
import type { ReceivedCall } from './plugin.ts';
import type { Session } from './session.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const MIB = 1024 * 1024;

/** The largest body of a request to the service, in bytes. Source: docs/reference/unspecified.md */
export const LARGEST_BODY = MIB;

const HUNDREDTHS = 100;

export function tooLarge(most: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${most} bytes (${most / MIB} MiB).`);
}

/** A request in plain values, and what the steps find out about it. */
export abstract class Call implements ReceivedCall {
  readonly method: string;
  readonly headers: Headers;
  /** Path of the base URL that the client uses, which names the session only if the path of the request does. */
  readonly basePath: string;
  readonly url: string;
  readonly path: string;
  operation: OperationName | undefined;
  readonly time = readTime();
  session: Session;
  /** Animals of the session when the request entered it. */
  store: PetStore;
  hint: string | undefined;
  abstract readonly isAborted: boolean;
  abstract readonly hasBody: boolean;
  abstract readonly sentAs: string;
  abstract readonly isChecked: boolean;
  readonly #start = performance.now();
  #duration: number | undefined;
  #body: Promise<Uint8Array> | undefined;

  /** @param url Path and query, without the path of the session. */
  constructor(method: string, url: string, headers: Headers, session: Session, basePath = '/v1') {
    const end = url.search(/[?#]/);
    this.method = method;
    this.headers = headers;
    this.basePath = basePath;
    this.url = url;
    this.path = end === -1 ? url : url.slice(0, end);
    this.session = session;
    this.store = session.store;
  }

  measureDuration(): number {
    this.#duration ??= Math.round((performance.now() - this.#start) * HUNDREDTHS) / HUNDREDTHS;
    return this.#duration;
  }

  get key(): KeyName {
    return nameKey(this.headers.authorization, this.session.settings.apiKeys);
  }

  get query(): Query {
    return new URLSearchParams(this.url.slice(this.path.length));
  }

  readBody(): Promise<Uint8Array> {
    this.#body ??= this.#receiveBody();
    return this.#body;
  }

  async #receiveBody(): Promise<Uint8Array> {
    const bytes = await this.readBytes();
    this.session.received(this, bytes);
    return bytes;
  }

  /** Reads the body, decoded by its content coding. @throws ApiError for a body that cannot be read */
  protected abstract readBytes(): Promise<Uint8Array>;

  abstract onClose(callback: () => void): void;
}
