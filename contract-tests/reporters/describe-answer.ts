import { inWords } from '../../common/text/in-words.ts';
import type { BodyFault, BodyProblem, FailureOf, Shape, Shown } from '../failures/failure.ts';

/** Returns the status of a response, or why there is none. */
export function describeOutcome({ status, noResponse }: Pick<Shown, 'status' | 'noResponse'>): string {
  return status === undefined ? `no answer (${noResponse})` : String(status);
}

/** Quotes what the deployment said with a 4xx or 5xx. */
export function quote(shown: Shown): string {
  const said = shown.said === undefined ? '' : `: "${shown.said}"`;
  return describeOutcome(shown) + said;
}

/** Describes the response to a request, or how many requests at the same time got it. */
export function describeFailedAtOnce({
  failed,
  of,
}: {
  readonly failed: number;
  readonly of: number;
}): string {
  return ` for ${failed} of ${of} POSTs at the same time`;
}

export function describeAnswer(failure: FailureOf<'status'>): string {
  const { request, shape } = failure;
  if (shape !== undefined) return `${describeOutcome(failure)} with ${describeShape(shape)}`;
  if (request?.what !== 'at once') return quote(failure);
  const said = failure.said === undefined ? '' : `: "${failure.said}"`;
  return describeOutcome(failure) + describeFailedAtOnce(request) + said;
}

/** Describes the media type of a response, or the several that it has. */
export function describeType(received: string | undefined): string {
  if (received === undefined) return 'no Content-Type';
  const { length } = received.split(/,\s*(?=[\w.+-]+\/[\w.+-]+)/);
  return length === 1 ? received : `${length} Content-Type headers: ${received}`;
}

export const expectedBodies: Readonly<Record<BodyFault['expected'], string>> = {
  Pet: 'a Pet',
  Error: 'an Error',
  list: 'a JSON array',
  'list of Pets': 'a list of Pets',
  '4xx or list': 'a 4xx or a list',
};

export function describeBody(failure: FailureOf<'body'>): string {
  const { expected, problem, index, body } = failure;
  const why = describeProblem(problem);
  switch (expected) {
    case 'Error':
      if (problem.is === 'empty') return `${describeOutcome(failure)} with an empty body`;
      // The title of a page says more than its beginning.
      return problem.is === 'no JSON'
        ? `${quote(failure)}, which is no JSON`
        : `${describeOutcome(failure)} with ${body || 'an empty body'}: ${why}`;
    case 'list':
      return body && problem.is !== 'another type' ? `${why}: ${body}` : why;
    case 'list of Pets':
      return `${why}, at index ${index}`;
    case '4xx or list':
      return `${describeOutcome(failure)}: ${why}`;
    default:
      return why;
  }
}

function describeProblem(problem: BodyProblem): string {
  switch (problem.is) {
    case 'empty':
      return 'an empty body';
    case 'no JSON':
      return problem.why === undefined ? 'no JSON' : `no JSON (${problem.why})`;
    case 'another type':
      return describeShape(problem.shape);
    case 'incomplete':
      return problem.why;
    case 'invalid': {
      const { schema, member, rule, value } = problem;
      if (member === undefined) return `${schema} ${rule}`;
      return value === undefined ? `no ${member}` : `the ${member} ${value}, which ${rule}`;
    }
  }
}

/** Describes what a body is. */
function describeShape(shape: Shape): string {
  switch (shape.is) {
    case 'empty':
      return 'an empty body';
    case 'text':
      return shape.text;
    case 'array':
      return `an array of ${shape.length}`;
    case 'animal':
      return `the animal ${shape.id}`;
    case 'object':
      return shape.members.length === 0 ? '{}' : `an object with ${describeMembers(shape.members)}`;
    case 'value':
      return shape.value;
  }
}

function describeMembers(members: readonly string[]): string {
  return `the ${members.length === 1 ? 'member' : 'members'} ${inWords(members, 'and')}`;
}
