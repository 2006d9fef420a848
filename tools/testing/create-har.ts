/** An exchange of a recording. @default a GET of the list */
export interface RecordedRow {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly sent?: string | Buffer;
  readonly status?: number;
  readonly answerHeaders?: Readonly<Record<string, string | undefined>>;
  readonly answered?: string | Buffer;
  /** Members to replace in the entry, its request, its response and its `content`. */
  readonly entry?: object;
  readonly request?: object;
  readonly response?: object;
  readonly content?: object;
}

/** Creates an entry of a HAR file, as Chrome writes it. Source: HAR 1.2, entries */
export function createEntry({ sent, answered = '[]', status = 200, ...row }: RecordedRow = {}) {
  const { url = 'https://api.example.com/v1/pets', method = sent === undefined ? 'GET' : 'POST' } = row;
  const headers = row.headers ?? { ':authority': 'api.example.com', authorization: 'Bearer test-key' };
  const answerHeaders = row.answerHeaders ?? { 'content-type': 'application/json' };
  const mimeType = answerHeaders['Content-Type'] ?? answerHeaders['content-type'] ?? 'x-unknown';
  const postData = sent !== undefined && { postData: { mimeType: 'application/json', text: String(sent) } };
  const both = { httpVersion: 'h2', cookies: [], headersSize: -1 };
  const bodySize = sent === undefined ? 0 : Buffer.byteLength(sent);
  const request = { method, url, headers: toPairs(headers), queryString: [], bodySize, ...postData };
  const content = { size: Buffer.byteLength(answered), mimeType, ...toText(answered), ...row.content };
  const response = { status, statusText: '', headers: toPairs(answerHeaders), redirectURL: '', bodySize: -1 };
  return {
    startedDateTime: '2026-05-04T11:30:00.123+02:00',
    time: 12,
    request: { ...both, ...request, ...row.request },
    response: { ...both, ...response, content, ...row.response },
    cache: {},
    timings: {},
    ...row.entry,
  };
}

/** Prints a HAR file of these entries. */
export function printHar(entries: readonly unknown[]): string {
  const creator = { name: 'a "recorder" of [entries]: {\\', version: '1' };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [{ entries: [] }], entries } }, null, 2);
}

function toPairs(headers: Readonly<Record<string, string | undefined>>) {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function toText(body: string | Buffer) {
  return typeof body === 'string' ? { text: body } : { text: body.toString('base64'), encoding: 'base64' };
}
