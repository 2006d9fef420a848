import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { onTestFinished, vi } from 'vitest';

/** Repeats credentials in four spellings, as a forward proxy may do that shows what it refuses. */
function repeatCredentials(authorization = ''): string {
  const base64 = authorization.replace('Basic ', '');
  const plain = atob(base64);
  const [user, password] = plain.split(':');
  // Without a password, the user is a token.
  return `No access for ${[base64, plain, encodeURIComponent(plain), password || user].join(' ')}`;
}

/**
 * Starts a forward proxy that leads every host to this machine, with the credentials `ann:p@ss`, until the test has finished.
 * It repeats wrong credentials: in the status line of CONNECT, otherwise in a page and its media type.
 */
export async function startForwardProxy() {
  const targets: string[] = [];
  const isAllowed = (credentials = '') => credentials === `Basic ${btoa('ann:p@ss')}`;
  const server = createServer(({ headers, method, url = '' }, response) => {
    targets.push(`${method} ${url}`);
    const authorization = headers['proxy-authorization'];
    if (!isAllowed(authorization)) {
      const said = repeatCredentials(authorization);
      response.writeHead(authorization === undefined ? 407 : 200, {
        'Content-Type': `text/html;x="${said}"`,
      });
      response.end(`<html><title>${said}</title>`);
      return;
    }
    const { port, pathname, search } = new URL(url);
    const forwarded = request({ port, path: pathname + search, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 0, incoming.headers);
      incoming.pipe(response);
    });
    forwarded.end();
  });
  server.on('connect', ({ headers, url = '' }, socket: Socket) => {
    targets.push(`CONNECT ${url}`);
    const authorization = headers['proxy-authorization'];
    const isKnown = isAllowed(authorization);
    socket.write(`HTTP/1.1 ${isKnown ? '200 OK' : `407 ${repeatCredentials(authorization)}`}\r\n\r\n`);
    if (isKnown)
      pipeline(socket, connect(Number(new URL(`http://${url}`).port), '127.0.0.1'), socket, () => {});
    else socket.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  /** Sets the variables that name the proxy. */
  const use = (credentials: string, noProxy = '') => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY'])
      vi.stubEnv(name.toLowerCase(), undefined).stubEnv(name, `http://${credentials}127.0.0.1:${port}`);
    vi.stubEnv('no_proxy', undefined).stubEnv('NO_PROXY', noProxy);
  };
  return { targets, use };
}
