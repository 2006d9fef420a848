import type { ServerResponse } from 'node:http';
import { clearInterval, setInterval } from '../real-time.ts';

/** Shortest time between two events, in milliseconds. */
const INTERVAL = 50;

/** Time between two comments that keep the stream alive, in milliseconds. */
const KEEP_ALIVE = 15_000;

export interface StateEvent {
  /** Id of the latest request, or 0. */
  readonly lastRequest: number;
  /** Id of the latest violation, or 0. */
  readonly lastViolation: number;
  /** Number of requests that wait for their response. */
  readonly waitingRequests: number;
  /** Changes with everything else. */
  readonly version: string;
}

/**
 * Sends an event `state` at first, and when the state has changed.
 * @param readState Returns undefined when the stream is to end.
 * Source: HTML standard, Server-sent events
 */
export function streamState(response: ServerResponse, readState: () => StateEvent | undefined): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  let sent = '';
  const send = () => {
    const state = response.req.method === 'HEAD' ? undefined : readState();
    if (state === undefined) response.end();
    // A slow client gets the latest state only.
    if (state === undefined || response.writableNeedDrain) return;
    const data = JSON.stringify(state, ['lastRequest', 'lastViolation', 'waitingRequests', 'version']);
    if (data !== sent) response.write(`event: state\ndata: ${data}\n\n`);
    sent = data;
  };
  const ping = () => response.write(':\n\n');
  const timers = [setInterval(send, INTERVAL).unref(), setInterval(ping, KEEP_ALIVE).unref()];
  response.on('close', () => timers.forEach(clearInterval));
  // A client that sends no more has gone, as far as anybody can tell: it asks for events as long as it is there.
  response.req.socket.once('end', () => response.end());
  send();
}
