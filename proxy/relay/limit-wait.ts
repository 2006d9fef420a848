import type { ClientRequest } from 'node:http';
import type { Readable } from 'node:stream';
import { UpstreamError } from './upstream.ts';

/**
 * Gives a request up unless the whole head of its response comes within `timeout` milliseconds of its own last byte; what
 * comes in parts, or before it as 1xx, is no head. While a body is being sent, no more is wanted than that it goes on, or
 * that the client is what keeps it waiting.
 *
 * @param rest the body that the client still sends.
 */
export function limitWait(outgoing: ClientRequest, rest: Readable | undefined, timeout: number): void {
  let [sent, received] = [0, outgoing.socket?.bytesRead ?? 0];
  const timer = setTimeout(() => {
    const { bytesWritten = 0, writableLength = 0, bytesRead = 0 } = outgoing.socket ?? {};
    const isClientSlow = rest !== undefined && !rest.readableEnded && !outgoing.writableNeedDrain;
    const isGoingOn =
      rest !== undefined && !outgoing.writableFinished && bytesWritten - writableLength > sent;
    sent = bytesWritten - writableLength;
    if (isClientSlow || isGoingOn) timer.refresh();
    else outgoing.destroy(bytesRead > received ? dripping(timeout) : silence(timeout));
  }, timeout);
  const stop = () => clearTimeout(timer);
  outgoing.once('socket', ({ bytesRead }) => {
    received = bytesRead;
  });
  outgoing.once('finish', () => timer.refresh());
  outgoing.once('response', stop).once('close', stop);
}

/** The failure of an upstream that sends nothing. */
export function silence(timeout: number): UpstreamError {
  return new UpstreamError(`The upstream was silent for ${timeout} ms.`, undefined, 'upstream_timeout');
}

function dripping(timeout: number): UpstreamError {
  const message = `The upstream did not come to the end of the head of its answer in ${timeout} ms.`;
  return new UpstreamError(message, undefined, 'upstream_timeout');
}
