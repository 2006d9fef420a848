import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { UpstreamError } from './upstream.ts';

/**
 * Gives a request up unless the whole head of its response comes within `timeout` milliseconds of its own last byte, and
 * then its response unless its body goes on; what comes of a head in parts, or before it as 1xx, is no head. While a body
 * is being sent, no more is wanted than that it goes on, or that the client is what keeps it waiting.
 *
 * One timer does it all, since setting one on the connection, and clearing it, takes its time with each request. The
 * response does not flow by this.
 *
 * @param rest the body that the client still sends.
 */
export function limitWait(outgoing: ClientRequest, rest: Readable | undefined, timeout: number): void {
  let response: IncomingMessage | undefined;
  let [sent, received] = [0, 0];
  const timer = setTimeout(() => {
    const { bytesWritten = 0, writableLength = 0, bytesRead = 0 } = outgoing.socket ?? {};
    const isSending = rest !== undefined && !rest.readableEnded && !outgoing.writableNeedDrain;
    const isClientSlow = response === undefined ? isSending : !response.readableFlowing;
    const isGoingOn =
      rest !== undefined && !outgoing.writableFinished && bytesWritten - writableLength > sent;
    sent = bytesWritten - writableLength;
    if (isClientSlow || isGoingOn) timer.refresh();
    else if (response !== undefined) response.destroy(silence(timeout));
    else outgoing.destroy(bytesRead > received ? dripping(timeout) : silence(timeout));
  }, timeout);
  const refresh = () => void timer.refresh();
  outgoing.on('socket', ({ bytesRead }) => {
    received = bytesRead;
  });
  outgoing.on('finish', refresh).on('response', (incoming) => {
    refresh();
    response = incoming.pause().on('data', refresh);
  });
  outgoing.on('close', () => clearTimeout(timer));
}

/** The failure of an upstream that sends nothing. */
function silence(timeout: number): UpstreamError {
  return new UpstreamError(`The upstream was silent for ${timeout} ms.`, undefined, 'upstream_timeout');
}

function dripping(timeout: number): UpstreamError {
  const message = `The upstream did not come to the end of the head of its answer in ${timeout} ms.`;
  return new UpstreamError(message, undefined, 'upstream_timeout');
}
