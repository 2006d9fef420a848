import { Agent as HttpAgent } from 'node:http';
import { getProxyForUrl } from 'proxy-from-env';
import { extendEnvironment } from '../cli/environment.ts';
import { UsageError } from '../cli/usage-error.ts';
import { Keys, redact } from '../text/redact.ts';
import { loadHttps, loadTls } from './load-secure.ts';
import type { Trust } from './trust.ts';

/** Returns the options of TLS for each request. @throws Error of Node if a certificate and its key do not match */
export function toTlsOptions({ ca, insecure, clientCert: cert, clientKey: key, clientPassphrase }: Trust) {
  const usual = { rejectUnauthorized: !insecure };
  if (ca === undefined && cert === undefined) return usual;
  const tls = loadTls();
  const secureContext = tls.createSecureContext({
    ...(ca !== undefined && { ca: [...tls.getCACertificates('default'), ca] }),
    ...(cert !== undefined && { cert, key, passphrase: clientPassphrase }),
  });
  return { ...usual, secureContext };
}

/** Way of requests to a deployment: directly, or through a forward proxy. */
export interface Route {
  readonly hostname: string;
  readonly port: string;
  /** Precedes the path of each request. */
  readonly prefix: string;
  /** Credentials of the proxy. */
  readonly headers: Readonly<Record<string, string>>;
  createAgent(keepAlive: boolean): HttpAgent;
  /** Names the proxy in its errors, and redacts its credentials. */
  toFailure(error: NodeJS.ErrnoException): NodeJS.ErrnoException;
  /** Returns the failure of a proxy that responds itself. Source: RFC 9110 section 15.5.8 */
  findRefusal(status: number | undefined): Error | undefined;
}

/** Returns whether only this machine answers at a URL. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Finds the proxy for a URL. @throws UsageError if it cannot be used */
function findProxy(url: URL): URL | undefined {
  if (isLoopback(url) || getProxyForUrl(url.href) === '') return undefined;
  const environment = extendEnvironment({});
  const names = [url.protocol.replace(':', '_proxy'), 'all_proxy'];
  // The library takes the first of these that is set, too. It gives a proxy without a scheme the scheme of the URL.
  const variable = names.flatMap((name) => [name, name.toUpperCase()]).find((name) => environment[name]);
  const value = `${environment[`${variable}`]}`;
  const proxy = URL.parse(value.includes('://') ? value : `http://${value}`);
  try {
    decodeURIComponent(`${proxy?.username}${proxy?.password}`);
    if (proxy !== null && [url.protocol, 'http:'].includes(proxy.protocol)) return proxy;
  } catch {}
  throw new UsageError(`${variable} must be a URL such as http://user:password@proxy.example:3128`);
}

/** Returns the credentials of a proxy as HTTP sends them, before they are in base64. They are ':' without credentials. */
function readCredentials({ username, password }: URL): string {
  return decodeURIComponent(`${username}:${password}`);
}

function toBase64(credentials: string): string {
  return Buffer.from(credentials).toString('base64');
}

/**
 * Returns the texts to redact in what a proxy sends: its credentials, and its password. Without a password, the user is a
 * token.
 */
function listSecrets(proxy: URL): string[] {
  const credentials = readCredentials(proxy);
  if (credentials === ':') return [];
  const { username, password } = proxy;
  const secret = password === '' ? username : password;
  return [credentials, toBase64(credentials), `${username}:${password}`, secret, decodeURIComponent(secret)];
}

/** Returns what to redact in responses that may be of the proxy for a URL. A proxy that cannot be used has none. */
export function findProxySecrets(url: URL): readonly string[] {
  try {
    const proxy = findProxy(url);
    return proxy === undefined ? [] : listSecrets(proxy);
  } catch {
    // `findRoute` reports it.
    return [];
  }
}

/** A forward proxy failed, so that the deployment never received the request. */
export class ProxyError extends Error {}

/** Finds the route to a URL: HTTPS_PROXY, HTTP_PROXY and NO_PROXY name proxies, and loopback has none. */
export async function findRoute(url: string): Promise<Route> {
  const parsed = new URL(url);
  const { protocol, hostname, port, host } = parsed;
  const proxy = findProxy(parsed);
  const server = { hostname: toHost(hostname), port, prefix: '', headers: {} };
  const direct = {
    ...server,
    createAgent: (keepAlive: boolean) =>
      protocol === 'https:' ? new (loadHttps().Agent)({ keepAlive }) : new HttpAgent({ keepAlive }),
    toFailure: (error: NodeJS.ErrnoException) => error,
    findRefusal: () => undefined,
  };
  if (proxy === undefined) return direct;
  const secrets = new Keys(listSecrets(proxy));
  const toFailure = ({ message, code }: NodeJS.ErrnoException) =>
    Object.assign(new ProxyError(`the proxy ${proxy.origin} failed: ${redact(message, secrets) || code}`), {
      code,
    });
  if (protocol === 'https:') {
    const { Tunnel } = await import('./tunnel.ts');
    return { ...direct, createAgent: (keepAlive) => new Tunnel(proxy, { keepAlive }, toFailure) };
  }
  const credentials = readCredentials(proxy);
  const basic = { 'Proxy-Authorization': `Basic ${toBase64(credentials)}` };
  const address = { hostname: toHost(proxy.hostname), port: proxy.port, prefix: `http://${host}` };
  return {
    ...direct,
    ...address,
    headers: credentials === ':' ? {} : basic,
    toFailure: (error) => (/connect|getaddrinfo/.test(`${error.syscall}`) ? toFailure(error) : error),
    findRefusal: (status) =>
      status === 407 ? toFailure(new Error('it refused with 407, so it requires credentials')) : undefined,
  };
}

const toHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');
