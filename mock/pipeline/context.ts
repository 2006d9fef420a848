import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { SessionName } from '../../common/http/session-names.ts';
import { parseSessionPath } from '../../common/http/session-path.ts';
import { keepBody, type RecordedRequest } from '../../common/journal/journal-entry.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { performance, readTime } from '../../common/real-time.ts';
import type { PetStore } from '../service/pet-store.ts';
import type { Outcome } from '../session/fault-effects.ts';
import type { Session } from '../session/session.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Number of bytes of a MiB. */
const MIB = 1024 * 1024;

/** The largest body of a request to the service, in bytes. Source: docs/reference/unspecified.md */
export const LARGEST_BODY = MIB;

/** Number of hundredths of a millisecond in one. */
const HUNDREDTHS = 100;

/** Returns the error of a body with more bytes than these. */
export function tooLarge(most: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${most} bytes (${most / MIB} MiB).`);
}

/** A request in plain values, and what the steps find out about it. */
export abstract class Context {
  readonly method: string;
  readonly headers: Headers;
  readonly originalUrl: string;
  /** The names that the request gives its session, which may differ. */
  readonly sessionNames: readonly SessionName[];
  /** The session that the path or a header names; undefined for the mock itself. */
  readonly sessionName: string | undefined;
  /** Path of the base URL that the client uses, which names the session only if the path of the request does. */
  readonly basePath: string;
  /** Path and query, from the end of the session's path on. */
  readonly url: string;
  readonly path: string;
  /** Set by the route of the operation. */
  operation: OperationName | undefined;
  /** Time of arrival, in milliseconds since 1970. */
  readonly time = readTime();
  /** The mock itself until the session of the request is found. */
  session: Session;
  /** Animals of the session when the request entered it. */
  store: PetStore;
  /** Set when the journal has the request. */
  recorded: RecordedRequest | undefined;
  /** Advice about a request that is not refused. */
  hint: string | undefined;
  /** Id of the fault that replaces or breaks the response. */
  fault: number | undefined;
  /** Changes the reply, as a fault requires. */
  alter: ((reply: Reply) => Outcome) | undefined;
  abstract readonly isAborted: boolean;
  /** True if the request may have a body. */
  abstract readonly hasBody: boolean;
  /** Port of the client, and number of the request on its connection, which the checked proxy reports too. */
  abstract readonly sentAs: string;
  /** True if the request came through the checked proxy. */
  abstract readonly isChecked: boolean;
  readonly #start = performance.now();
  #duration: number | undefined;
  #body: Promise<Uint8Array> | undefined;

  constructor(
    method: string,
    url: string,
    headers: Headers,
    mock: Session,
    sessionNames: readonly SessionName[],
  ) {
    const { prefix, path } = parseSessionPath(url);
    const end = path.search(/[?#]/);
    this.method = method;
    this.headers = headers;
    this.originalUrl = url;
    this.sessionNames = sessionNames;
    this.sessionName = sessionNames[0]?.name;
    this.basePath = `${prefix}/v1`;
    this.url = path;
    this.path = end === -1 ? path : path.slice(0, end);
    this.session = mock;
    this.store = mock.store;
  }

  /**
   * Returns the time from the arrival to the response, in milliseconds, rounded to hundredths. It is measured once, so that the journal
   * and the log have the same: at the outcome, or when the client leaves before that.
   */
  measureDuration(): number {
    this.#duration ??= Math.round((performance.now() - this.#start) * HUNDREDTHS) / HUNDREDTHS;
    return this.#duration;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }

  /** Reads the body once, also for the journal. @throws ApiError for a body that cannot be read */
  readBody(): Promise<Uint8Array> {
    this.#body ??= this.#receiveBody();
    return this.#body;
  }

  async #receiveBody(): Promise<Uint8Array> {
    const bytes = await this.readBytes();
    const { session, recorded, headers } = this;
    if (recorded !== undefined)
      session.journal.receive(recorded, keepBody(bytes, headers['content-encoding']));
    return bytes;
  }

  /** Reads the body, decoded by its content coding. @throws ApiError for a body that cannot be read */
  protected abstract readBytes(): Promise<Uint8Array>;

  /** Calls back when the client leaves, or the response has ended. */
  abstract onClose(callback: () => void): void;
}
