import { once } from 'node:events';
import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { valuesOf, withHeader, withoutHopByHop } from './raw-headers.ts';

/** Where requests are sent on to. */
export interface Upstream {
  /** Its base URL. */
  readonly url: URL;
  readonly agent: Agent;
  /** How long it may be silent, in milliseconds. */
  readonly timeout: number;
}

/** An upstream that gave no answer. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly status: 502 | 504;

  constructor(status: 502 | 504, message: string) {
    super(message);
    this.status = status;
  }
}

/** A request that has been sent on. */
export interface Forwarded {
  /** Ends the request to the upstream, whatever has become of it. */
  cancel(): void;
  /** @throws UpstreamError 502 when the upstream cannot be reached or speaks no HTTP, 504 when it is silent too long. */
  readonly answer: Promise<IncomingMessage>;
}

/** Sends a request on with the bytes that it came with; only Host and what concerns the connection are its own. */
export function forwardRequest(request: IncomingMessage, { url, agent, timeout }: Upstream): Forwarded {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send(url.origin, {
    agent,
    method: request.method,
    path: request.url,
    headers: toUpstreamHeaders(request, url.host),
    timeout,
  });
  const silence = () => new UpstreamError(504, `The upstream was silent for ${timeout} ms.`);
  const onSilentBefore = () => outgoing.destroy(silence());
  outgoing.on('timeout', onSilentBefore);
  outgoing.once('response', (answer) => {
    // From here on it is the answer that whoever reads it waits for.
    outgoing.off('timeout', onSilentBefore).on('timeout', () => answer.destroy(silence()));
  });
  // An upstream may answer and hang up before it has all of the request; `answer` tells of any other failure.
  outgoing.on('error', () => request.unpipe(outgoing).resume());
  request.pipe(outgoing);
  return { cancel: () => outgoing.destroy(), answer: waitForAnswer(outgoing, url) };
}

async function waitForAnswer(outgoing: ClientRequest, url: URL): Promise<IncomingMessage> {
  try {
    const [answer] = await once(outgoing, 'response');
    return answer;
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError(502, `The upstream ${url.origin} gave no answer: ${(error as Error).message}.`);
  }
}

/** Methods whose requests Node takes to have no body, unless a header says otherwise. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function toUpstreamHeaders({ rawHeaders, method = 'GET' }: IncomingMessage, host: string): string[] {
  const headers = withHeader(withoutHopByHop(rawHeaders), 'Host', host);
  if (valuesOf(rawHeaders, 'transfer-encoding').length > 0) {
    return withHeader(headers, 'Transfer-Encoding', 'chunked');
  }
  const hasLength = valuesOf(rawHeaders, 'content-length').length > 0;
  // For any other method Node would announce a body in chunks, though there is none.
  return hasLength || bodiless.has(method) ? headers : withHeader(headers, 'Content-Length', '0');
}
