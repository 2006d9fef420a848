import type { Reply } from '../../common/http/reply.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import type { Outcome } from '../session/outcome.ts';
import { A_DELAY, type Delay, isDelay, LONGEST_DELAY } from './delay.ts';
import {
  createFaultReply,
  type FaultedRequest,
  type FaultResponse,
  toFaultHeader,
} from './fault-response.ts';

/** The effects that a fault can have. */
export interface FaultEffects {
  /** Time that a request waits before anything else happens to it: milliseconds, or a range such as `'50-200'`. */
  readonly delay?: Delay;
  /** Holds each request before anything else happens to it, until the fault is released or removed. */
  readonly hold?: true;
  /** Sends an Error with this status. Short for `response.status`. */
  readonly status?: number;
  /** Message of the Error. Short for `response.message`. */
  readonly message?: string;
  /** Sends this response instead of the response of the operation. */
  readonly response?: FaultResponse;
  /** Resets the connection before the operation runs. */
  readonly drop?: true;
  /** Sends half of the body with the Content-Length of the whole body, and breaks the connection. */
  readonly truncate?: true;
  /** Runs the operation, and resets the connection instead of sending the response. */
  readonly after?: 'drop';
}

interface Effect<Value> {
  /** The valid values, to be read after "must be". */
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** The valid values as a JSON Schema has them. */
  readonly json: object;
  /** The valid values, for the documents. */
  readonly values: string;
  /** What the effect does, for the documents. */
  readonly sentence: string;
  /** Name in the form of the console, if it is there. */
  readonly label?: string;
  /** The value that the option has, if there is only one. */
  readonly constant?: Value;
  /** True if it makes a request wait before anything else happens to it. */
  readonly isWait?: true;
  /** Describes an active fault in the console. */
  readonly describe: (value: Value) => string;
  /** Ends a request before its key is checked. */
  readonly end?: (value: Value, request: FaultedRequest) => Outcome;
  /** Changes the reply to a request. */
  readonly alter?: (reply: Reply, request: FaultedRequest) => Outcome;
}

export type EffectName = keyof FaultEffects;

type EffectValue<Name extends EffectName> = Exclude<FaultEffects[Name], undefined>;

/** Least status of a fault. A status below 400 needs a body. */
const LEAST_STATUS = 200;

export const LARGEST_STATUS = 599;

const isStatus = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= LEAST_STATUS && Number(value) <= LARGEST_STATUS;

/** Returns the parts of an effect whose option has one value. */
const only = <const Value extends string | boolean>(constant: Value) => {
  const isValid = (value: unknown) => value === constant;
  return { expected: JSON.stringify(constant), isValid, json: { const: constant }, constant };
};

// No schemas in this table: users import its types, and do not install valibot.

/** Every effect of a fault. Type, schema, documents, console and the control API follow from this table. */
export const faultEffects: { readonly [Name in EffectName]-?: Effect<EffectValue<Name>> } = {
  delay: {
    expected: A_DELAY,
    isValid: isDelay,
    json: {
      oneOf: [
        { type: 'integer', minimum: 0, maximum: LONGEST_DELAY },
        { type: 'string', pattern: '^\\d{1,6}(-\\d{1,6})?$' },
      ],
    },
    values: `milliseconds up to ${LONGEST_DELAY}, or a range such as \`'50-200'\``,
    sentence: 'Delays the request before anything else happens to it.',
    label: 'Latency',
    isWait: true,
    describe: (delay) => `${delay} ms`,
  },
  hold: {
    ...only(true),
    values: '`true`',
    sentence:
      'Holds each request before anything else happens to it, until the fault is released or removed.',
    label: 'Hold',
    isWait: true,
    describe: () => 'hold',
  },
  status: {
    expected: `an integer from ${LEAST_STATUS} to ${LARGEST_STATUS}`,
    isValid: isStatus,
    json: { type: 'integer', minimum: LEAST_STATUS, maximum: LARGEST_STATUS },
    values: 'from 400 to 599, or from 200 with a `response.body`',
    sentence: 'Sends an Error with this status.',
    label: 'Error',
    describe: String,
  },
  message: {
    expected: 'a string',
    isValid: (value) => typeof value === 'string',
    json: { type: 'string' },
    values: 'string',
    sentence: 'Sets the message of the Error.',
    describe: () => '',
  },
  response: {
    expected: 'an object',
    isValid: (value) => isJsonObject(value as ExactJson),
    json: { type: 'object' },
    values: '`{ status, headers, body, message }`',
    sentence: 'Sends this response, with a status or a body, instead of the response of the operation.',
    label: 'Broken body',
    describe: ({ status = '', body }) => `${status}${body === undefined ? '' : ' own body'}`.trim(),
    end: (response, request) => {
      const whole = { wire: 'whole', reply: createFaultReply(response, request) } as const;
      // Otherwise the log and the journal would show it as a response of the service.
      return response.body === undefined ? whole : { ...whole, failure: 'response_replaced' };
    },
  },
  drop: {
    ...only(true),
    values: '`true`',
    sentence: 'Resets the connection before the operation runs.',
    label: 'Drop',
    describe: () => 'drop',
    end: () => ({ wire: 'reset', failure: 'connection_reset' }),
  },
  truncate: {
    ...only(true),
    values: '`true`',
    sentence:
      'Sends half of the body with the Content-Length of the whole body, and then breaks the connection.',
    label: 'Cut short',
    describe: () => 'cut short',
    alter: (reply, { faultId }) => {
      const body = reply.body.slice(0, Math.floor(reply.body.length / 2));
      const headers = { ...reply.headers, ...toFaultHeader(faultId) };
      return { wire: 'half', reply: { ...reply, headers, body }, failure: 'response_truncated' };
    },
  },
  after: {
    ...only('drop'),
    values: "`'drop'`",
    sentence:
      'Runs the operation, and then resets the connection: the animal is stored, and the response is lost.',
    label: 'Lose the response',
    describe: () => 'drop after the operation',
    alter: () => ({ wire: 'reset', failure: 'response_lost' }),
  },
};

export const effectNames = Object.keys(faultEffects) as EffectName[];

/** Effects that a fault may have alone: the form of the console offers each. */
export const switchedEffects = effectNames.filter((name) => faultEffects[name].label !== undefined);

/** Effects that make a request wait, of which a fault can have only one. */
export const waitNames = effectNames.filter((name) => faultEffects[name].isWait);

/** Effects that end a request or change its reply, of which a fault can have only one. */
export const endNames = effectNames.filter((name) => faultEffects[name].end ?? faultEffects[name].alter);

/** What a fault does to a request: it ends the request, or changes its reply. */
export interface FaultEnd {
  readonly end?: ((request: FaultedRequest) => Outcome) | undefined;
  readonly alter?: ((reply: Reply, request: FaultedRequest) => Outcome) | undefined;
}

/** Returns the row of an effect, whose value may then be one of any effect. */
function findEffect(name: EffectName): Effect<unknown> {
  return faultEffects[name] as Effect<unknown>;
}

export function toFaultEnd<Name extends EffectName>(name: Name, value: EffectValue<Name>): FaultEnd {
  const { end, alter } = findEffect(name);
  return { end: end && ((request) => end(value, request)), alter };
}

/** Describes the effects of a fault, such as `200 ms 500`. */
export function describeEffects(fault: FaultEffects): string {
  const given = effectNames.filter((name) => fault[name] !== undefined);
  return given
    .map((name) => findEffect(name).describe(fault[name]))
    .filter(Boolean)
    .join(' ');
}
