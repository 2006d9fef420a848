import type { Exchange, SuiteRequest } from './exchange.ts';
import type { Target } from './target.ts';

/** A request of a table. What it leaves out is usual: a GET of the target with its key. */
export interface RequestOptions extends Partial<SuiteRequest> {
  readonly path: string;
  /** Undefined leaves the header out. @default the key of the target, as a bearer token */
  readonly authorization?: string | undefined;
  /** Undefined leaves the header out. @default application/json if there is a body */
  readonly mediaType?: string | undefined;
}

/** Completes a request of a table. One without a bearer token of its own has the valid key. */
export function toRequest(options: RequestOptions, target: Target): SuiteRequest {
  const { authorization, mediaType, headers, ...request } = {
    method: 'GET',
    base: target.baseUrl,
    body: undefined,
    authorization: `Bearer ${target.apiKey}`,
    mediaType: 'application/json',
    isAuthorized: !('authorization' in options),
    ...options,
  };
  // A gateway may need those of --header.
  const given = new Set(Object.keys(target.headers).map((name) => name.toLowerCase()));
  const own = Object.entries(headers ?? {}).filter(([name]) => !given.has(name.toLowerCase()));
  const all = {
    ...target.headers,
    ...Object.fromEntries(own),
    ...(authorization !== undefined && { Authorization: authorization }),
    ...(request.body !== undefined && mediaType !== undefined && { 'Content-Type': mediaType }),
  };
  return { ...request, headers: all };
}

/** Creates the request that asks again what an exchange has asked. */
export function toAgain({ request }: Exchange): RequestOptions {
  const { base: _, ...same } = request;
  // Its headers have both already.
  return { ...same, authorization: undefined, mediaType: undefined };
}
