/** What the specification does not say, and what the suite bears for that reason. */
export interface OpenPoint {
  /** The heading of the specification that it would stand under. */
  readonly heading: string;
  readonly question: string;
  readonly tolerated: string;
}

/** Everything that the suite has met and the specification leaves open, in the order of the catalogue's headings. */
export const leftOpen: readonly OpenPoint[] = [
  {
    heading: 'GET /pets',
    question: 'the order of a list',
    tolerated: 'any, and another one each time',
  },
  {
    heading: 'GET /pets',
    question: 'how many animals are on a page',
    tolerated: 'fewer than limit says, from one on',
  },
  {
    heading: 'GET /pets',
    question: 'what a limit or a status that is not valid is answered with',
    tolerated: 'any 4xx with an Error, or a list that is lawful',
  },
  {
    heading: 'POST /pets',
    question: 'which names there may be',
    tolerated: 'any name may be refused with a 4xx; one that is accepted has to be kept',
  },
  {
    heading: 'POST /pets',
    question: 'which categories there are',
    tolerated: 'one that no animal has may be refused with a 4xx',
  },
  {
    heading: 'POST /pets',
    question: 'the status of an animal that is added without one',
    tolerated: 'any of the three, or none',
  },
  {
    heading: 'POST /pets',
    question: 'what comes of fields that a NewPet does not have',
    tolerated: 'they are refused with a 4xx, ignored or kept; but an id is never taken',
  },
  {
    heading: 'POST /pets',
    question: 'what a body of another media type is answered with',
    tolerated: 'whatever is no 5xx',
  },
  {
    heading: 'GET /pets/{petId}',
    question: 'what is answered where the id is no int64',
    tolerated: 'any 3xx or 4xx',
  },
  {
    heading: 'GET /pets/{petId}',
    question: 'what is answered after 5 December 2030',
    tolerated: 'any 3xx or 4xx, or all that was answered before',
  },
  {
    heading: 'Endpoints',
    question: 'when a status changes',
    tolerated: 'at any time; so what looks wrong for that is tried again with another animal',
  },
  {
    heading: 'Endpoints',
    question: 'what other clients do meanwhile',
    tolerated: 'they may add animals all the time',
  },
  {
    heading: 'Authentication',
    question: 'what keys look like',
    tolerated: 'any printable ASCII without spaces',
  },
  {
    heading: 'Errors',
    question: 'the values of code, and other fields',
    tolerated: 'any string; any fields besides',
  },
  {
    heading: 'Errors',
    question: 'other statuses than 400, 401 and 404',
    tolerated: 'any 4xx where no sentence names one; 429 is waited out (--retries, --max-rate)',
  },
];
