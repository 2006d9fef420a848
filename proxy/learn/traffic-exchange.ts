import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
} from '../../common/json/exact-json.ts';
import { Exchange, type SeenRequest, type SeenResponse } from '../../common/learn/exchange.ts';

/** Replaces the base URL of the service, which no observer needs. */
export const ANY_SERVICE = 'http://service.invalid/v1';

/** An exchange of traffic as it is kept: without what no observer reads, and without the key. */
export interface KeptExchange {
  readonly request: SeenRequest;
  readonly response: SeenResponse;
  /** Which of the keys of the traffic the request has, as a digest; undefined without a key. */
  readonly key: string | undefined;
  /** Arrival of the request, in milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
}

/** An exchange of clients, from which a behaviour is learned. */
export class TrafficExchange extends Exchange {
  readonly request: SeenRequest;
  readonly response: SeenResponse;
  readonly failure = undefined;
  readonly at: number;
  readonly ms: number;
  readonly json: ExactJson | undefined;
  readonly sent: JsonObject;
  readonly animals: readonly JsonObject[];

  constructor({ request, response, at, ms }: Omit<KeptExchange, 'key'>) {
    super();
    this.request = request;
    this.response = response;
    this.at = at;
    this.ms = ms;
    this.json = parse(response.body);
    const sent = parse(request.body ?? '');
    this.sent = sent !== undefined && isJsonObject(sent) ? sent : {};
    this.animals = this.isList ? (this.json as readonly ExactJson[]).filter(isJsonObject) : [];
  }

  /** Returns the text: evidence of traffic has no text of an exchange. */
  shorten(text: string): string {
    return text;
  }

  /** Returns the text: the kept exchange has no key. */
  hide(text: string): string {
    return text;
  }
}

function parse(body: Uint8Array | string): ExactJson | undefined {
  if (body.length === 0) return undefined;
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}
