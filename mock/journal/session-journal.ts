import type { Reply } from '../../common/http/reply.ts';
import {
  keepBody,
  LONGEST_SHOWN,
  type RecordedAnswer,
  type RecordedRequest,
} from '../../common/journal/journal-entry.ts';
import type { Keys } from '../../common/text/redact.ts';
import type { Outcome } from '../session/outcome.ts';
import type { Plugin, ReceivedCall } from '../session/plugin.ts';
import { Journal } from './journal.ts';

/** The record of a call. It is a member, because a WeakMap costs the garbage collector a tenth of a request. */
const record = Symbol('record');

type RecordedCall = ReceivedCall & { [record]?: RecordedRequest };

/** How many requests are kept, and the keys to redact in them. */
export interface JournalConfig {
  readonly journal: number;
  readonly secrets: { readonly keys: Keys };
}

/** Records the requests of a session, and what they received. */
export class SessionJournal extends Journal implements Plugin {
  constructor({ journal, secrets }: JournalConfig) {
    super(journal, secrets.keys);
  }

  arrived(call: ReceivedCall): void {
    this.#record(call);
  }

  received(call: ReceivedCall, body: Uint8Array): void {
    this.receive(this.#record(call), keepBody(body, call.headers['content-encoding']));
  }

  ended(call: ReceivedCall, outcome: Outcome): void {
    const { isAborted } = call;
    // A client that has left has received nothing.
    const answer = 'reply' in outcome && !isAborted ? outcome.reply : undefined;
    const failure = 'failure' in outcome && !isAborted ? outcome.failure : undefined;
    this.end(this.#record(call), {
      ms: call.measureDuration(),
      status: answer?.status,
      error: failure ?? answer?.error?.code,
      fault: isAborted ? undefined : outcome.fault,
      hint: call.hint ?? answer?.error?.hint,
      answer: answer && keepAnswer(answer),
    });
  }

  reset(): void {
    this.clearRequests();
  }

  /** Returns the record of a request, which is new for one that was refused on its way to the service. */
  #record(call: RecordedCall): RecordedRequest {
    const { [record]: known } = call;
    if (known !== undefined) return known;
    const { operation, method, headers, url, key, sentAs, isChecked, time } = call;
    const request = {
      ...{ id: 0, time: new Date(time), operation, method, headers, url, key, sentAs, isChecked },
      isReceived: !call.hasBody,
      ...nothing,
    };
    call[record] = request;
    this.record(request);
    return request;
  }
}

/** What is not known of a request that has just arrived. */
const nothing = {
  ms: undefined,
  body: undefined,
  bodyState: undefined,
  status: undefined,
  error: undefined,
  fault: undefined,
  hint: undefined,
  answer: undefined,
};

/** Keeps the start of a long body only. */
function keepAnswer(reply: Reply): RecordedAnswer {
  if (reply.body.length <= LONGEST_SHOWN) return reply;
  return { ...reply, ...keepBody(new TextEncoder().encode(reply.body)) };
}
