import { type JsonObject, parseExactJson } from '../../../common/json/exact-json.ts';
import type { Control, MockSession } from '../../index.ts';
import type { AdminCall } from '../send-admin.ts';

/** Something done to a mock with the sample animals, from code and over HTTP alike. */
export interface ControlCase {
  readonly title: string;
  /** What is done before, from code. */
  readonly before?: (mock: MockSession) => unknown;
  readonly library: (mock: Control) => unknown;
  readonly http: AdminCall;
  /** What comes back. @default nothing, with 204 */
  readonly result?: unknown;
  /** The status of what comes back. @default 200 */
  readonly status?: number;
  /** Texts that the message of the error holds; its status is `status`. */
  readonly mentions?: readonly string[];
  /** Checks the mock afterwards. */
  readonly check?: (mock: MockSession) => void;
  /** The animals afterwards. @default the sample animals */
  readonly animals?: readonly unknown[];
}

/** The value as JSON gives it, every integer a bigint. */
export function plain(value: unknown): JsonObject {
  return parseExactJson(JSON.stringify(value)) as JsonObject;
}
