/** Why the verdict of the stock proxy is another than ours, by the name of the difference. */
export const differences = {
  int64:
    'The stock proxy bounds int64 by 2^53 and rounds integers to doubles; the contract bounds it by 2^63.',
  scheme: 'The stock proxy wants the scheme as "Bearer"; HTTP takes it in any case (RFC 9110, section 11.1).',
  'query case':
    'The stock proxy takes "Limit" for "limit"; the names of query parameters are case-sensitive in OpenAPI.',
  'unknown parameter':
    'The stock proxy says nothing of a query parameter that the contract does not know; ours warns of it.',
  'unknown member':
    'The stock proxy ignores unknown members of a body; ours warns of those of a request and of misspelt ones of a response.',
  'malformed request':
    'The stock proxy waits for ever for the end of a request whose body it could not parse; ours hands it on.',
  'malformed response':
    'The stock proxy answers 500 of its own to a body that is not JSON; ours hands it on and reports it.',
  'media type of a request':
    'The stock proxy answers 500 of its own to a media type that it cannot parse; ours hands it on and judges it.',
  'byte sequence':
    'The stock proxy replaces bytes that are no UTF-8 before it looks at the body; JSON is UTF-8.',
  'content coding': 'The stock proxy does not know zstd and answers 500 of its own.',
  chunked:
    'The stock proxy adds a length to a request that comes in chunks, which the upstream has to refuse, and does not look at its media type.',
  'body of GET': 'The stock proxy answers 501 of its own; ours hands the body on and reports it.',
  'not implemented': 'The stock proxy puts an invented answer in the place of 501.',
  redirect: 'The stock proxy follows a redirect and judges what is there; a proxy hands the redirect on.',
  head: 'The stock proxy does not route HEAD and answers 500 of its own; HEAD is GET without the body.',
  preflight: 'The stock proxy answers the preflight request of a browser itself.',
  preferences:
    'The stock proxy reads orders to its mock from __code, __server and Prefer, even when it is a proxy.',
  'dot segments':
    'The stock proxy resolves dot segments before it routes; ours judges the path that is sent.',
  'long header': 'The stock proxy cuts a long header off; ours leaves out whole violations and counts them.',
  'end of process':
    'The process of the stock proxy ends when it throws at what it cannot decode; ours reports it as unreadable.',
} as const;

/** The name of a difference. */
export type DifferenceName = keyof typeof differences;
