import { loadContract } from '../common/contract.ts';
import type { Clause, Level } from './core/clause.ts';

/** Sentences by the last part of their id. */
type Sentences = Readonly<Record<string, string>>;

type Head = Omit<Clause, 'run'>;

function createClauses(
  heading: string,
  prefix: string,
  sentences: Sentences,
  level: Level = 'required',
): Head[] {
  return Object.entries(sentences).map(([name, sentence]) => ({
    id: `${prefix}/${name}`,
    heading,
    sentence,
    level,
  }));
}

/** What each operation asks of a key. */
function createKeyClauses(operation: string, request: string): Head[] {
  return createClauses('Authentication', operation, {
    'missing-key': `${request} without a key is answered 401.`,
    'invalid-key': `${request} with a key that is not the right one, to the letter, is answered 401.`,
    'bearer-form': `${request} with the right key in another form than "Bearer <key>" is answered 401.`,
  });
}

/** One for each response that openapi.yaml documents. */
function createReplaySentences(): Sentences {
  const documented = loadContract().operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => [operationId, status] as const),
  );
  return Object.fromEntries(
    documented.map(([operationId, status]) => [
      `${operationId}-${status}`,
      `A request that deserves the ${status} of ${operationId} gets it as openapi.yaml documents it.`,
    ]),
  );
}

/** Every sentence of the specification that is checked, in the order of its headings. */
export const catalogue: readonly Head[] = [
  ...createClauses('GET /pets', 'list-pets', {
    success: 'A list is answered 200 with a JSON array.',
    pets: 'Every element of every list is a Pet: id and categoryId are int64, name is a string, a status is one of three.',
    'unique-ids': 'No two animals of a list have the same id.',
    'limit-is-a-maximum': 'A list has no more animals than limit says.',
    'limit-bounds': 'limit may be 1 and may be 100.',
    'limit-default': 'Left out, limit means 20, with a status and without.',
    'limit-most-100': 'A list has no more than 100 animals, whatever limit says.',
    'limit-invalid':
      'A limit that is no integer from 1 to 100 is refused with a 4xx, or answered with a lawful list.',
    'status-filters': 'A list by status has animals of that status alone.',
    'status-complete': 'A list by status that is not cut short by limit has every animal of that status.',
    'filter-before-limit': 'The status is looked at first and the limit applied to what is left.',
    'status-invalid': 'A status that is none of three is refused with a 4xx, or answered with a lawful list.',
  }),
  ...createClauses('POST /pets', 'create-pet', {
    success: 'A NewPet is answered 201.',
    pet: 'The answer to a creation is a Pet.',
    echoes: 'The animal that is answered has the name, the categoryId and the status that were sent.',
    'text-exact': 'A name is kept to the character: letters of any script, markup, spaces.',
    'int64-exact': 'A categoryId is kept to the last digit of an int64.',
    'status-kept': 'Each of the three statuses is kept.',
    'unique-id': 'Each animal that is added gets an id of its own, also when several are added at once.',
    'id-assigned': 'The service assigns the id; one that a client sends is refused or ignored.',
    stored: 'An animal that was added is found in the list, as it was answered.',
    'name-required': 'A body without a name is answered 400.',
    'category-required': 'A body without a categoryId is answered 400.',
    'name-type': 'A name that is no string is answered 400.',
    'category-type': 'A categoryId that is no int64 is answered 400.',
    'status-value': 'A status that is none of three is answered 400.',
    'body-required': 'A body that is missing, or is no JSON object, is answered 400.',
    malformed: 'A body that is no JSON is answered 400.',
    'refused-adds-nothing': 'A body that is answered 400 adds no animal.',
  }),
  ...createClauses('GET /pets/{petId}', 'get-pet', {
    success: 'An animal that there is, is answered 200 with a Pet.',
    'right-animal': 'The animal that is answered has the id that was asked for.',
    'same-as-listed': 'An animal reads the same by its id as in the list.',
    'finds-added': 'An animal that was added is found by its id, as it was answered.',
    'unknown-is-404': 'An id that no animal has is answered 404.',
    'non-integer': 'What is no int64 in the place of the id is never answered with an animal.',
  }),
  ...createClauses('Endpoints', 'store', {
    kept: 'An animal that was added is still there at the end, with its name and its category, whatever was sent in between.',
    sequences:
      'In any sequence of operations, an animal that was added stays as it was answered, and only where it belongs.',
  }),
  ...createKeyClauses('list-pets', 'GET /pets'),
  ...createKeyClauses('create-pet', 'POST /pets'),
  ...createKeyClauses('get-pet', 'GET /pets/{petId}'),
  ...createClauses('Authentication', 'create-pet', {
    'key-before-body': 'POST /pets without a key is answered 401 even when its body is not valid.',
    'unauthorized-adds-nothing': 'POST /pets without the right key adds no animal.',
  }),
  ...createClauses('Errors', 'errors', {
    body: 'Every error has a body with the strings code and message and the integer status.',
    status: 'The status of an Error is the HTTP status.',
    'media-type': 'An Error is sent as application/json.',
    'no-server-fault': 'Nothing that a client sends is answered with a 5xx or with a connection that is cut.',
  }),
  ...createClauses('What the service does', 'service', {
    'media-type': 'Every answer with an animal or a list is sent as application/json.',
  }),
  ...createClauses('Introductory quickstart request', 'quickstart', {
    success:
      'POST /messages is answered with the strings id, message and status and the ISO 8601 time createdAt.',
    'missing-key': 'POST /messages without the right key in the Bearer form is answered 401.',
    invalid: 'POST /messages with invalid JSON, without message or as another media type is answered 400.',
  }),
  ...createClauses('openapi.yaml', 'replay', createReplaySentences()),
  ...createClauses(
    'Authentication',
    'advised',
    {
      challenge: 'A 401 carries WWW-Authenticate (RFC 9110, section 11.6.1).',
      'scheme-case': 'The scheme is understood in any case (RFC 9110, section 11.1).',
    },
    'advised',
  ),
];
