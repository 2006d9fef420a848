import type { Content, Operation, Schema } from '../../common/json/contract.ts';
import type { ExchangeRequest, ExchangeResponse, FoundViolation } from '../exchange.ts';
import type { ReadBody } from './read-body.ts';

/** What a rule finds. Its texts may have keys: they are redacted where they leave the proxy. */
export interface Fault extends Pick<FoundViolation, 'location' | 'wanted'> {
  /** @default the meaning of the rule */
  readonly message?: string;
  /** Name of the member that the object at the location lacks. */
  readonly missing?: string | undefined;
  /** @default the severity of the rule */
  readonly severity?: FoundViolation['severity'];
  /** What the rule requires of the value, such as `an integer`. */
  readonly expected?: string | undefined;
  /** @default what was received at the location */
  readonly received?: FoundViolation['received'];
}

/** A fault of a message, with the rule that it breaks. */
export interface Found extends Fault {
  readonly rule: string;
  readonly message: string;
  readonly severity: FoundViolation['severity'];
}

/** A rule that Prism does not check, or not as strictly. */
export interface Rule<Subject> {
  readonly id: string;
  /** What it means, as docs/reference/animal-store-proxy.md says it. */
  readonly meaning: string;
  readonly severity: FoundViolation['severity'];
  readonly find: (subject: Subject) => readonly Fault[];
}

/** Returns what breaks rules. */
export function applyRules<Subject>(rules: readonly Rule<Subject>[], subject: Subject): Found[] {
  return rules.flatMap(({ id, meaning, severity, find }) =>
    find(subject).map((fault) => ({ rule: id, message: meaning, severity, ...fault })),
  );
}

/** A message of an operation, as rules read it. */
export interface Message {
  readonly side: 'request' | 'response';
  readonly operation: Operation;
  readonly message: ExchangeRequest | ExchangeResponse;
  readonly body: ReadBody;
  /** The media types that the contract has for the body; undefined if it has none. */
  readonly content: Content | undefined;
  /** The schema of JSON in it, without references. */
  readonly schema: Schema;
}

/** A request of an operation. */
export interface RequestOfOperation extends Message {
  readonly message: ExchangeRequest;
  readonly parameters: URLSearchParams;
}

/** A response of an operation. */
export interface ResponseOfOperation extends Message {
  readonly message: ExchangeResponse;
  readonly request: ExchangeRequest;
  /** What the request violates. */
  readonly ofRequest: readonly FoundViolation[];
  /** Returns the first error of the response if it had a status that the contract has for errors. */
  readonly findNoError: () => FoundViolation | undefined;
}
