import type { ServerResponse } from 'node:http';

/** Resets the connection, after the responses to earlier requests on it. */
export function resetConnection(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) {
    response.once('socket', () => resetConnection(response));
    return;
  }
  // Browsers send a request again, POST too, if a used connection breaks before any byte of a response.
  if (socket.bytesWritten > 0) response.writeProcessing();
  // Node cannot reset a connection of TLS.
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
