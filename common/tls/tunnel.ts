import * as tls from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';

type ToFailure = (error: NodeJS.ErrnoException) => NodeJS.ErrnoException;

/** Time for a proxy to answer CONNECT, in ms. It is shorter than the suite's own timeout. */
const LONGEST_CONNECT = 8_000;

type SecureOptions = Extract<Parameters<HttpsProxyAgent<string>['connect']>[1], { secureEndpoint: true }>;

/** Keeps the host for the check of the certificate: the agent gives TLS no address, so that Node would check for localhost. */
function withHostCheck(options: SecureOptions): SecureOptions {
  const host = options.servername || `${options.host}`;
  return {
    ...options,
    checkServerIdentity: (_, certificate) => tls.checkServerIdentity(host, certificate),
  };
}

/** Agent of HTTPS through a proxy. It throws if the proxy refuses, which would look like a response of the deployment. */
export class Tunnel extends HttpsProxyAgent<string> {
  readonly #toFailure: ToFailure;

  constructor(proxy: URL, options: { readonly keepAlive: boolean }, toFailure: ToFailure) {
    super(proxy, options);
    this.#toFailure = toFailure;
  }

  /** Otherwise the agent looks for https in the stack of each call, and does not find its idle connections. */
  override isSecureEndpoint(): boolean {
    return true;
  }

  override async connect(...[request, options]: Parameters<HttpsProxyAgent<string>['connect']>) {
    request.once('proxyConnect', ({ statusCode, statusText }) => {
      if (statusCode !== 200) throw new Error(`it refused with ${statusCode} ${statusText}`);
    });
    // A request without a connection cannot be cancelled.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), LONGEST_CONNECT);
    this.connectOpts = { ...this.connectOpts, signal: limit.signal };
    const silence = new Error(`it did not answer within ${LONGEST_CONNECT / 1000} s`);
    return super
      .connect(request, withHostCheck(options as SecureOptions))
      .catch((error) => Promise.reject(this.#toFailure(limit.signal.aborted ? silence : error)))
      .finally(() => clearTimeout(timer));
  }
}
