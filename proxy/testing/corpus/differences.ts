/** Reasons why the verdict of the stock proxy differs from ours, by name. */
export const differences = {
  int64: 'The stock proxy limits int64 to 2^53 and rounds integers to doubles. The contract allows 2^63.',
  fraction: 'The stock proxy takes a fraction that a double rounds to an integer for an integer.',
  scheme: 'The stock proxy requires "Bearer" in this case. HTTP allows any case (RFC 9110, section 11.1).',
  'query case': 'The stock proxy reads "Limit" as "limit". OpenAPI distinguishes them.',
  'parameter text':
    'The stock proxy accepts an empty parameter, and what JavaScript reads as an integer, such as 0x10.',
  'path parameter': 'The stock proxy takes the path of the list with a slash at its end for one animal.',
  'no media type': 'The stock proxy reports the body, not the header that is missing.',
  'empty key': 'The stock proxy accepts the word "undefined" as a key.',
  'unknown parameter': 'Only ours warns of a query parameter that the contract does not have.',
  'unknown member': 'Only ours warns of unknown members of a request and misspelt ones of a response.',
  'malformed request': 'The stock proxy never ends a request with a malformed body. Ours forwards it.',
  'malformed response':
    'The stock proxy answers malformed JSON with its own 500. Ours forwards and reports it.',
  'media type of a request': 'The stock proxy answers a media type that it cannot parse with its own 500.',
  'byte sequence': 'The stock proxy replaces bytes that are not UTF-8 before the check. JSON is UTF-8.',
  'content coding': 'The stock proxy answers zstd with its own 500.',
  chunked: 'The stock proxy adds a length to chunks, and ignores their media type.',
  'body of GET': 'The stock proxy answers with its own 501. Ours forwards and reports the body.',
  'not implemented': 'The stock proxy replaces 501 with an invented response.',
  'server error': 'The stock proxy warns of a 5xx as of any undocumented status. In ours it is an error.',
  'error body': 'Only ours checks that an undocumented error status has an Error as its body.',
  redirect: 'The stock proxy follows a redirect. Ours forwards it.',
  head: 'The stock proxy answers HEAD with its own 500. HEAD is GET without the body.',
  preflight: 'The stock proxy answers preflight requests of browsers.',
  preferences: 'The stock proxy obeys __code, __server and Prefer, which are for its mock.',
  'dot segments':
    'The stock proxy resolves dot segments before it routes. Ours checks the path that is sent.',
  'long header': 'The stock proxy cuts a long header. Ours omits whole violations.',
  'end of process': 'The stock proxy ends if it cannot decode something. Ours reports it as unreadable.',
} as const;
