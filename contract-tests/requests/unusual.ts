import { printExactJson } from '../../common/json/exact-json.ts';
import type { Target } from '../client/target.ts';
import type { RequestOptions } from '../client/to-request.ts';
import { LONGEST } from '../history/list-parameters.ts';
import type { Sender } from './sender.ts';

/** Creates the headers that a browser sends for a page of the deployment's own origin, which needs no CORS. */
function createBrowserHeaders({ baseUrl }: Target): Readonly<Record<string, string>> {
  const { origin } = new URL(baseUrl);
  return {
    Accept: 'application/json, text/plain, */*',
    'Accept-Language': 'fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5',
    Cookie: 'theme=dark; _ga=GA1.1.1234567890.1700000000',
    Origin: origin,
    Referer: `${origin}/animals`,
    'Sec-Fetch-Dest': 'empty',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Site': 'same-origin',
  };
}

/** Headers by which a service may refuse pages of other origins. */
const ofOrigin = ['Origin', 'Referer', 'Sec-Fetch-Site', 'Sec-Fetch-Mode'];

function createHeadersWithoutOrigin(target: Target): Readonly<Record<string, string>> {
  const all = Object.entries(createBrowserHeaders(target));
  return Object.fromEntries(all.filter(([name]) => !ofOrigin.includes(name)));
}

const asPage = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Sec-Fetch-Dest': 'document' };

/** Sends a request with the headers of a browser. */
async function sendInBrowser(sender: Sender, request: RequestOptions): Promise<void> {
  const { target } = sender;
  const send = (headers: Readonly<Record<string, string>>) =>
    sender.send({ ...request, headers, form: 'the headers of a browser' });
  const first = await send(createBrowserHeaders(target));
  // A service may allow no origin, or not know its own behind a proxy.
  if (first?.status === 403) await send(createHeadersWithoutOrigin(target));
}

/** Requests lists and an animal as before, and adds one, with the headers of a browser, without usual ones, and with another spelling of a header. */
export async function sendClients(sender: Sender): Promise<void> {
  const { history, target } = sender;
  const [id] = history.animals.keys();
  const paths = [
    ...['/pets?limit=5&status=sold', '/pets?limit=5'],
    ...(id === undefined || sender.history.isGetPetRemoved ? [] : [`/pets/${id}`]),
  ];
  for (const path of paths) {
    await sender.get(path);
    await sendInBrowser(sender, { path });
    await sender.get(path);
  }
  if (sender.mayWrite) {
    const body = printExactJson(sender.createPet('from a browser', 'sold'));
    await sendInBrowser(sender, { method: 'POST', path: '/pets', body });
  }
  // All statuses, of which a service may translate each.
  const path = `/pets${LONGEST}`;
  // A service may translate what it should not, compare Accept as a text or miss it, show a page, or take any ETag or date for its own.
  const further = [
    { 'Accept-Language': 'de' },
    ...['application/*+json, application/json;q=0.9', 'application/*', '', asPage.Accept].map((Accept) => ({
      Accept,
    })),
    // Clients that send JSON often say so where they send nothing.
    { 'Content-Type': 'application/json' },
    { 'If-None-Match': '"contract-test"' },
    { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ];
  for (const headers of further) await sender.send({ path, headers, form: 'the headers of a browser' });
  await sender.send({ path, headers: { 'User-Agent': '' }, form: 'a request without a User-Agent' });
  await sender.send({
    path,
    headers: { 'Accept-Encoding': '', traceparent: '' },
    form: 'a request without Accept-Encoding and traceparent',
  });
  await sender.send({
    path,
    authorization: undefined,
    isAuthorized: true,
    headers: { authorization: `Bearer ${target.apiKey}` },
    form: 'the header authorization in lower case',
  });
  const authorization = `bearer ${target.apiKey}`;
  await sender.send({ path: '/pets', authorization, form: 'the scheme in lower case' });
}

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;

/** Bodies and headers that no other table tries; none is a NewPet. */
const creations: readonly Omit<RequestOptions, 'path'>[] = [
  { body: '{}', mediaType: 'application/x-www-form-urlencoded' },
  { body: '{}', mediaType: 'application/json; charset=unknown' },
  { body: '{}', headers: { 'Content-Encoding': 'gzip' } },
  ...['['.repeat(5000), `{"x":${NESTED}}`, `{${' '.repeat(150_000)}}`].map((body) => ({ body })),
  ...['{"name":"\\u0000"}', '{"name":"\\ud800"}'].map((body) => ({ body })),
];

export const BYTES_OF_1_MIB = 1_048_576;

/** A body that a deployment need not read to its end, so that it may cut the connection: more than 1 MiB. */
const HUGE = `{${' '.repeat(BYTES_OF_1_MIB)}}`;

/** Sends what servers fail at: odd paths, headers, and bodies. */
export async function sendUnusual(sender: Sender): Promise<void> {
  const { target } = sender;
  const reads: readonly RequestOptions[] = [
    ...sender
      .chooseFew(['/pets/-0', '/pets/01', '/pets/%22%27', '/pets/%E0%A4', '/pets/%00'], 1)
      .map((path) => ({ path })),
    // Errors are JSON for a page of a browser, and for a library that accepts text too.
    ...[asPage, {}].map((headers) => ({
      path: '/pets/8765432109876543210',
      headers: { ...createHeadersWithoutOrigin(target), ...headers },
      form: 'the headers of a browser' as const,
    })),
    { path: '/pets/abc', authorization: undefined },
  ];
  await sender.sendTogether(reads);
  if (!sender.mayWrite) return;
  const form = 'an unusual body' as const;
  const post = (creation: Omit<RequestOptions, 'path'>) => ({
    method: 'POST',
    path: '/pets',
    form,
    ...creation,
  });
  await sender.sendTogether(creations.map(post));
  // These may be accepted.
  const valid = () => printExactJson(sender.createPet('perhaps JSON', 'sold'));
  await sender.sendTogether([
    post({ body: valid(), mediaType: 'text/plain' }),
    post({ body: valid().replace('}', `,"x":${NESTED}}`) }),
    // Source: RFC 8259, section 9
    ...[',"x":NaN}', '/* no */}'].map((end) =>
      post({ body: valid().replace('}', end), form: 'lenient JSON' }),
    ),
  ]);
  // After the others, since the connection may be cut.
  await sender.sendEach([post({ body: HUGE })]);
}
