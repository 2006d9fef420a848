/** Why no clause tests a sentence of docs/specification.md. */
export const reasons = {
  introduces: 'It introduces what follows.',
  'not shown': 'The specification leaves it open.',
  outside: 'It cannot be observed from outside.',
  'no promise': 'It promises nothing of a request.',
  'other interface': 'It is about the quickstart, which is not a part of the interface.',
} as const;

/** What accounts for a sentence: the clauses that test it, the place of openapi.yaml that states it, or why it is left out. */
export type Account =
  | { readonly clauses: readonly string[] }
  /** JSON Pointer. */
  | { readonly statedAt: string }
  | { readonly leftOut: keyof typeof reasons };

const tested = (...clauses: readonly string[]): Account => ({ clauses });
const stated = (statedAt: string): Account => ({ statedAt });
const left = (leftOut: keyof typeof reasons): Account => ({ leftOut });

const introduces = left('introduces');
const notShown = left('not shown');
const quickstart = left('other interface');

const missingKey = ['list-pets/missing-key', 'create-pet/missing-key', 'get-pet/missing-key'];
const invalidKey = ['list-pets/invalid-key', 'create-pet/invalid-key', 'get-pet/invalid-key'];
const bearerForm = ['list-pets/bearer-form', 'create-pet/bearer-form', 'get-pet/bearer-form'];
const listKeys = ['list-pets/missing-key', 'list-pets/invalid-key'];
const createKeys = ['create-pet/missing-key', 'create-pet/invalid-key'];
const getKeys = ['get-pet/missing-key', 'get-pet/invalid-key'];
const store = ['store/kept', 'store/sequences', 'store/steady'];
const refusedBodies = [
  ...['create-pet/name-required', 'create-pet/category-required', 'create-pet/name-type'],
  ...['create-pet/category-type', 'create-pet/status-value', 'create-pet/body-required'],
  ...['create-pet/malformed', 'create-pet/refused-adds-nothing'],
];
const limits = [
  ...['list-pets/limit-bounds', 'list-pets/limit-default', 'list-pets/limit-omitted'],
  ...['list-pets/limit-most-100', 'list-pets/limit-invalid'],
];

/**
 * Every sentence of docs/specification.md by its heading, in the order of the document, with what accounts for it. A row of a table is one
 * sentence. This is the one home of what is tested: the quotes of the clauses, the HTML report and the proof of the suite follow from it.
 */
export const specification: Readonly<Record<string, Readonly<Record<string, Account>>>> = {
  'Animal Store Service Specification': {
    'This document covers the whole service: its purpose, records, states, endpoints, authentication, events, errors, limits and versioning.':
      introduces,
  },
  'What the service does': {
    'The service is an HTTP and JSON interface to an animal store.': tested('service/browser'),
    'A client can:': introduces,
    'list animals, optionally filtered by availability status;': tested(...store, 'list-pets/filters'),
    'add an animal;': tested('create-pet/success', 'create-pet/stored'),
    'fetch one animal by its identifier (deprecated, see Versioning).': tested(...store, 'get-pet/success'),
    'Addresses:': introduces,
    'The production base address is {base_url}.': left('outside'),
    'It ends with the path prefix /v1.': stated('/servers/0/url'),
    'A staging environment has the base address {staging_base_url}, which also ends with /v1.':
      stated('/servers/0/description'),
    'Every path below is relative to the base address.': stated('/paths'),
    'Requests and responses use JSON (media type application/json).': tested(
      'service/media-type',
      'errors/media-type',
    ),
    'The operations are grouped under one tag, "animals".': stated('/tags/0/name'),
    'Further navigation groups named "Store" and "Pets" exist, and a store-orders endpoint is mentioned.':
      left('no promise'),
    'Its operations and records: not shown.': notShown,
  },
  'Pet (an animal, as returned)': {
    'A Pet has every field of NewPet plus an identifier.': tested('list-pets/pets', 'create-pet/echoes'),
    'id | integer, int64 | yes | Unique identifier, assigned by the service on creation.': tested(
      'create-pet/unique-id',
      'create-pet/id-assigned',
      'list-pets/unique-ids',
    ),
    "name | string | yes | The animal's name.": tested('list-pets/pets', 'create-pet/pet', 'get-pet/success'),
    'categoryId | integer, int64 | yes | Identifier of the category the animal belongs to.': tested(
      'list-pets/pets',
      'create-pet/pet',
      'get-pet/success',
    ),
    'status | PetStatus | no | Availability status.': tested(
      'list-pets/pets',
      'create-pet/pet',
      'get-pet/success',
    ),
  },
  'NewPet (request body for creation)': {
    "name | string | yes | The animal's name.": tested(
      'create-pet/text-exact',
      'create-pet/name-required',
      'create-pet/name-type',
    ),
    'categoryId | integer, int64 | yes | Identifier of the category.': tested(
      'create-pet/int64-exact',
      'create-pet/category-any',
      'create-pet/category-type',
      'create-pet/category-required',
    ),
    'status | PetStatus | no | Availability status.': tested(
      'create-pet/status-kept',
      'create-pet/status-value',
    ),
  },
  'PetStatus (string enumeration)': {
    'Allowed values: available, pending, sold.': tested(
      'create-pet/status-kept',
      'create-pet/status-value',
      'list-pets/filter-invalid',
    ),
  },
  Pets: {
    'A JSON array of Pet.': tested('list-pets/success', 'list-pets/pets'),
  },
  Error: {
    'See Errors.': introduces,
  },
  'Gaps in the records': {
    'Fields of the category record and any endpoint for categories: not shown.': notShown,
    'Length or character limits on name: not shown.': notShown,
    'The value of status when it is omitted on creation: not shown.': notShown,
  },
  'States and transitions': {
    "The only state-like field is the animal's status.": tested('store/kept'),
    'available | The animal is available.': tested('create-pet/status-kept', 'list-pets/filters'),
    'pending | Allowed value of status.': tested('create-pet/status-kept', 'list-pets/filters'),
    'sold | Allowed value of status.': tested('create-pet/status-kept', 'list-pets/filters'),
    'Transitions: not shown.': notShown,
  },
  Endpoints: {
    'All operations require authentication (see Authentication).': tested(...missingKey),
  },
  'GET /pets (operation listPets)': {
    'Returns a list of animals.': tested('list-pets/success'),
    'Query parameters:': introduces,
    'limit | integer | no | Minimum 1, maximum 100, default 20. Maximum number of animals returned.': tested(
      'list-pets/limit-is-a-maximum',
      'list-pets/filter-before-limit',
      ...limits,
    ),
    'status | PetStatus | no | Filters animals by availability status.': tested(
      'list-pets/filters',
      'list-pets/filter-complete',
      'list-pets/filter-before-limit',
    ),
    'Responses:': introduces,
    '200 | Pets: a JSON array of Pet.': tested('list-pets/success', 'list-pets/pets'),
    '401 | Error.': tested(...listKeys, 'errors/body'),
    'The list is described as paginated, but the following are not shown: page or cursor parameters beyond limit, and how to reach a further page.':
      notShown,
    'The ordering of the list: not shown.': notShown,
    'Response headers: not shown.': notShown,
  },
  'POST /pets (operation createPet)': {
    'Adds an animal.': tested('create-pet/success', 'create-pet/stored'),
    'The request body is required.': tested('create-pet/body-required'),
    'Its media type is application/json and its shape is NewPet.': tested(
      'create-pet/malformed',
      'create-pet/body-required',
    ),
    'name and categoryId must be present.': tested(
      'create-pet/name-required',
      'create-pet/category-required',
    ),
    'Responses:': introduces,
    '201 | Animal added. | Pet, including the assigned id.': tested(
      'create-pet/success',
      'create-pet/pet',
      'create-pet/stored',
      'get-pet/finds-added',
    ),
    '400 | The body is missing required fields or contains invalid values. | Error': tested(
      ...refusedBodies,
      'errors/body',
    ),
    '401 | Missing or invalid API key. | Error': tested(...createKeys, 'errors/body'),
  },
  'GET /pets/{petId} (operation getPet) — deprecated': {
    'Returns one animal.': tested('get-pet/success'),
    'Path parameter:': introduces,
    'petId | integer, int64 | yes | Identifier of the animal to retrieve.': tested(
      'get-pet/right-animal',
      'get-pet/non-integer',
    ),
    'Responses:': introduces,
    '200 | The requested animal. | Pet': tested(
      'get-pet/success',
      'get-pet/same-as-listed',
      'get-pet/finds-added',
    ),
    '401 | Missing or invalid API key. | Error': tested(...getKeys, 'errors/body'),
    '404 | The requested resource could not be found. | Error': tested(
      'get-pet/unknown-is-404',
      'errors/body',
    ),
    'The operation is marked deprecated.': stated('/paths/~1pets~1{petId}/get/deprecated'),
    'It is scheduled for removal on 5 December 2030.': stated('/paths/~1pets~1{petId}/get/description'),
    'The replacement is GET /pets with the status filter.': stated('/paths/~1pets~1{petId}/get/description'),
  },
  'Introductory quickstart request': {
    'An introductory quickstart uses a different, generic example address, {example_api_base_url}.':
      quickstart,
    'It is not part of the formal description of the animal operations above.': quickstart,
    'Method and path | POST /messages': quickstart,
    'Headers | Authorization: Bearer <API_KEY>; Content-Type: application/json': quickstart,
    'Request body | JSON object with field message (string).': quickstart,
    'Success response | JSON object with fields id (string), message (string), status (string; the quickstart shows the value queued), createdAt (string, ISO 8601 timestamp).':
      quickstart,
    'The quickstart says that the status field shows whether a request was only queued.': quickstart,
  },
  Authentication: {
    'The scheme is HTTP bearer, declared as the security scheme bearerAuth.': tested(...bearerForm),
    'The client passes its API key as a bearer token in the Authorization header, in the form Authorization: Bearer <API_KEY>.':
      tested(...bearerForm),
    'The requirement applies to every operation.': tested(
      'create-pet/unauthorized-adds-nothing',
      'create-pet/key-before-body',
      ...missingKey,
    ),
    'When the key is missing or invalid, the response is 401 with an Error body.': tested(
      ...missingKey,
      ...invalidKey,
      'errors/body',
    ),
    'The quickstart says an API key is generated after creating an account.': quickstart,
    'How the key is issued, its format, lifetime and scopes: not shown.': notShown,
  },
  Events: {
    'Events, webhooks or notifications: not shown.': notShown,
  },
  Errors: {
    'All error responses in the animal operations use the Error body.': tested('errors/body'),
    'code | string | yes | Machine-readable error code.': tested('errors/body'),
    'message | string | yes | Human-readable description.': tested('errors/body'),
    'status | integer | yes | The HTTP status code.': tested('errors/body', 'errors/status'),
    '400 | Body missing required fields or containing invalid values. | POST /pets': tested(...refusedBodies),
    '401 | API key missing or invalid. | GET /pets, POST /pets, GET /pets/{petId}': tested(
      ...missingKey,
      ...invalidKey,
    ),
    '404 | The requested animal could not be found. | GET /pets/{petId}': tested('get-pet/unknown-is-404'),
    'Quickstart guidance for the generic example request:': introduces,
    'A 401 means the key is missing or invalid, or the Authorization header does not use the Bearer form.':
      tested(...bearerForm),
    'A 400 means the JSON is invalid, the message field is absent, or Content-Type is not application/json.':
      quickstart,
    'The values that the code field takes: not shown.': notShown,
    'Statuses other than 400, 401 and 404: not shown.': tested('errors/no-server-fault'),
  },
  Limits: {
    'limit parameter | GET /pets | Integer from 1 to 100 inclusive; default 20.': tested(...limits),
    'Rate limits and request size limits: not shown.': notShown,
  },
  Versioning: {
    'The version is part of the base address as the path prefix /v1.': stated('/servers/0/url'),
    'The description of the interface carries version 1.0.0.': stated('/info/version'),
    'GET /pets/{petId} is deprecated and is removed on 5 December 2030.': stated(
      '/paths/~1pets~1{petId}/get/description',
    ),
    'GET /pets with the status filter replaces it.': stated('/paths/~1pets~1{petId}/get/description'),
    'Some endpoints may carry a stability marker (experimental or beta) in the machine-readable description.':
      left('no promise'),
    'None of the three operations above carries one.': stated('/paths'),
  },
};

/** The sentences that each clause tests, first those that the fewest clauses test, and of these the longest. */
const sentencesByClause = Map.groupBy(
  Object.entries(specification)
    .flatMap(([heading, sentences]) =>
      Object.entries(sentences).flatMap(([sentence, account]) =>
        'clauses' in account
          ? account.clauses.map((id) => ({ id, heading, sentence, count: account.clauses.length }))
          : [],
      ),
    )
    .toSorted((one, other) => one.count - other.count || other.sentence.length - one.sentence.length),
  ({ id }) => id,
);

/** Returns the sentence of the specification that a clause tests: of several, the one under its heading, or the one that is the most about it. */
export function findQuote(id: string, heading: string): string | undefined {
  const sentences = sentencesByClause.get(id) ?? [];
  const quoted = sentences.find((one) => one.heading.startsWith(heading)) ?? sentences[0];
  return quoted && toProse(quoted.sentence);
}

/** Prints the cells of a table's row next to each other. */
export function toProse(sentence: string): string {
  return sentence.replaceAll(' | ', ' · ');
}
