/** A response as it was received; in its texts each character stands for a byte. */
export interface Answer {
  readonly status: number;
  /** Its header lines. */
  readonly headers: string;
  readonly body: string;
}

const HEAD = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[\w!#$%&'*+.^`|~-]+:[^\r\n]*\r\n)*)\r\n/;

/** Reads responses that follow each other; `rest` is what is not one, or not all of one. */
export function readAnswers(received: string): { answers: Answer[]; rest: string } {
  const answers: Answer[] = [];
  let rest = received;
  for (let match = HEAD.exec(rest); match !== null; match = HEAD.exec(rest)) {
    const [{ length }, status, headers = ''] = match;
    const bodyLength = Number(/^content-length: (\d+)\r/im.exec(headers)?.[1] ?? 0);
    const body = rest.slice(length, length + bodyLength);
    // The answer to HEAD has the length of a body, and none.
    const isBare = body === '' || body.startsWith('HTTP/1.1 ');
    if (!isBare && body.length < bodyLength) break;
    answers.push({ status: Number(status), headers, body: isBare ? '' : body });
    rest = rest.slice(length + (isBare ? 0 : bodyLength));
  }
  return { answers, rest };
}

/** Whether an answer of 400 or more has an Error body that says its status. Source: openapi.yaml#/components/schemas/Error */
export function isError({ status, headers, body }: Answer): boolean {
  if (!/^content-type: application\/json\r/im.test(headers)) return false;
  try {
    const error = JSON.parse(Buffer.from(body, 'latin1').toString());
    return typeof error.code === 'string' && typeof error.message === 'string' && error.status === status;
  } catch {
    return false;
  }
}
