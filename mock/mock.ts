import type { ChoiceName } from './choices/choices.ts';
import { type Control, createControl } from './session/control.ts';
import type { MockCalls } from './session/control-calls.ts';
import { createSessionHeaders } from './session/session-name.ts';
import type { Sessions } from './session/sessions.ts';

declare global {
  // As in TypeScript's lib esnext.disposable, for programs that compile with an older one.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** A session of a mock: a separate store, and its control. */
export interface MockSession extends Control {
  /** The base URL, such as `http://127.0.0.1:4010/v1` or `http://127.0.0.1:4010/sessions/w1/v1`. */
  readonly url: string;
  /**
   * Headers with which a request to the base URL of the mock itself reaches this session, such as
   * `{ 'X-Animal-Store-Session': 'w1' }`. Without members for the mock itself.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The base URL of the checked proxy for it; undefined without a checked proxy. */
  readonly checkedUrl: string | undefined;
}

/** A mock that is listening. */
export interface Mock extends MockSession, MockCalls {
  /** Properties in the user's file of animals that the contract does not know. They were left out. */
  readonly unknownProperties: readonly string[];
  /** Choices that the learned file of the start does not know: the mock uses their defaults. Empty for any other behaviour. */
  readonly unknownChoices: readonly ChoiceName[];
  /**
   * Returns the session with this name, which is created if there is none. At 1,000 sessions a new one ends the one that was
   * unused for longest and that neither this method nor a change over the control API has used. The returned object always
   * controls the session that has its name at that moment.
   * @param name up to 64 letters, digits, `.`, `_` and `-`.
   * @throws Error with the `code` `invalid_request` for another name; with `too_many_requests` if no session can end.
   */
  session(name: string): MockSession;
  /** Stops listening, waits for open requests, and cuts off requests that take more than 5 seconds. */
  close(): Promise<void>;
  /** Closes the mock at the end of a block that has `await using mock = await startMock()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

type Others = Pick<Mock, 'unknownProperties' | 'unknownChoices' | 'close'>;

export function createMock(sessions: Sessions, origin: string, others: Others): Mock {
  const drive = (name?: string): MockSession => {
    const find = () => sessions.find(name, true);
    const { basePath } = find();
    return {
      ...createControl(find, () => sessions.expect(name)),
      url: origin + basePath,
      headers: createSessionHeaders(name),
      get checkedUrl() {
        return find().checkedUrl;
      },
    };
  };
  return Object.assign(drive(), others, {
    [Symbol.asyncDispose]: others.close,
    session: (name: string) => drive(name ?? ''),
    sessions: () => sessions.names(),
    endSession: (name: string) => sessions.end(name),
  });
}
