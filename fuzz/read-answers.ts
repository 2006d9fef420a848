/** A response as it was received; in its texts each character stands for a byte. */
export interface Answer {
  readonly status: number;
  /** Its header lines. */
  readonly headers: string;
  readonly body: string;
  /** Whether the body is an Error with its status. Source: openapi.yaml#/components/schemas/Error */
  readonly isError: boolean;
}

const HEAD = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[\w!#$%&'*+.^`|~-]+:[^\r\n]*\r\n)*)\r\n/;

/** Reads the final responses among those that follow each other; `rest` is what is not one, or not all of one. */
export function readAnswers(received: string): { answers: Answer[]; rest: string } {
  const answers: Answer[] = [];
  let rest = received;
  for (let match = HEAD.exec(rest); match !== null; match = HEAD.exec(rest)) {
    const [head, status, headers = ''] = match;
    const length = Number(/^content-length: (\d+)\r/im.exec(headers)?.[1] ?? 0);
    let body = rest.slice(head.length, head.length + length);
    // The answer to HEAD says the length of a body that does not come.
    if (body.startsWith('HTTP/1.1 ')) body = '';
    if (body !== '' && body.length < length) break;
    const answer = { status: Number(status), headers, body };
    if (answer.status >= 200) answers.push({ ...answer, isError: isError(answer) });
    rest = rest.slice(head.length + body.length);
  }
  return { answers, rest };
}

function isError({ status, headers, body }: Omit<Answer, 'isError'>): boolean {
  if (!/^content-type: application\/json\r/im.test(headers)) return false;
  try {
    const error = JSON.parse(Buffer.from(body, 'latin1').toString());
    return typeof error.code === 'string' && typeof error.message === 'string' && error.status === status;
  } catch {
    return false;
  }
}
