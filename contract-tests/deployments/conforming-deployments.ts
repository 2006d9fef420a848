import { accessDeployments } from './conforming/access-deployments.ts';
import { storeDeployments } from './conforming/store-deployments.ts';
import {
  busyDeployments,
  lateDeployments,
  transportDeployments,
} from './conforming/transport-deployments.ts';
import type { Deployment } from './deployment.ts';

/** Deployments that differ from the mock in unspecified points that behaviours do not have. */
export const conformingDeployments: readonly Deployment[] = [
  // First, since some wait for seconds while others run.
  ...busyDeployments,
  ...lateDeployments,
  ...transportDeployments,
  { name: 'is the mock', overHttp: true },
  { name: 'is the mock, empty at first', options: { profile: 'empty' } },
  { name: 'is the mock with what may break a client', options: { profile: 'edge-cases' } },
  {
    name: 'refuses a categoryId such as 1e2, and has an own one of 40 bits',
    options: { behaviour: { integerNotations: 'refused' } },
    target: { categoryId: 2n ** 40n },
  },
  ...storeDeployments,
  ...accessDeployments,
];

/**
 * What the suite tolerates, each with the deployments that `npm test` tries: the five tolerances, what the specification leaves
 * unspecified, what HTTP and JSON leave open, and why clauses are not tested. Each night all are tried.
 */
export const tolerated: Readonly<Record<string, readonly string[]>> = {
  late: ['keeps every list for 3 s in a cache, which says its age'],
  'no room': ['lists its newest ten animals, the oldest of them first'],
  'changed by others': ['gives the newest animal the next status, before every request'],
  'removed by others': ['has an owner who removes ten animals at once'],
  'told to wait': ['answers 503 to the fifth animal at once, and asks to wait'],
  'a body of another media type': ['is the mock'],
  'a path or a header that is too long': ['has a server that refuses a header over 4 kB with 400 and a page'],
  'a path that is not UTF-8 or has a NUL': ['is the mock'],
  'a petId that is not an int64': ['refuses an invalid query, and an id that is not an integer, with 404'],
  'an Authorization header that is not ASCII': [
    'refuses a header that is not ASCII, before all else, with a body of its server',
  ],
  'an invalid limit': ['takes an invalid limit for 100, and a status in any case'],
  'an invalid status': ['refuses an invalid query, and an id that is not an integer, with 404'],
  'categories that an animal can have': ['refuses unknown categories with 422'],
  'codes of Errors': ['has errors with an empty message, and codes of digits'],
  'further members of Errors': ['has more fields in its animals and errors, in another order'],
  'how a key is issued, its format, lifetime and scopes': [
    'takes a key that is a UUID in any case and without its hyphens',
    'has a key that may not get an animal by its id, and answers 403',
  ],
  'length or character limits on name': ['wants names such as AB-1234'],
  'lists by status that show an animal without a status': ['has 300 animals without a status'],
  'malformed JSON': ['is the mock with what may break a client'],
  'maximum number of animals of a list': ['lists as many animals as have room in 4 kB'],
  'members of a body that NewPet does not have': ['refuses a member that NewPet does not have'],
  'number of animals that can be added': ['asks to wait for an hour after 20 animals'],
  'order of lists': [
    'lists five of its animals, in another order each time',
    'lists 20 of its animals by their last update, and sells one now and then',
  ],
  'rate limits': ['has a gateway that refuses each 20th request with the page of a 429'],
  'request size limits': ['is behind a gateway that refuses a body over 1 MiB with a page'],
  'requests from pages of other origins (CORS)': ['refuses every origin with 403 and plain text'],
  'status of an animal that was added without a status': ['is the mock'],
  'statuses other than 400, 401 and 404': [
    'refuses control characters and what is no character in names with 422',
  ],
  'the removal on 5 December 2030': ['has removed GET /pets/{petId} and answers 405 also without a key'],
  'time until GET /pets/{petId} shows a new animal': ['finds an animal by its id 50 ms later'],
  'time until lists show a new animal': ['lists an animal by its status a second later'],
  'transitions between statuses': ['gives the newest animal the next status, before every request'],
  'what comes first when several things are wrong': [
    'looks for the category first and refuses unknown ones with 404',
  ],
  'what other clients do during a run': [
    'has others adding an animal anywhere in the list before every request',
  ],
  'how HTTP and JSON are written': [
    'sends application/json in any case, with a charset and other parameters',
    'refuses a categoryId such as 1e2, and has an own one of 40 bits',
  ],
  'how ids are assigned': ['counts its new ids down from -1, and lists the oldest of 150 animals'],
  'full store': ['is full and refuses every animal with 402'],
  'no right to add animals': ['takes five animals, and then refuses everything with 403'],
  'read-only': ['is only read from'],
  'too little to compare': ['lists no more than 19 of its animals, which are all sold'],
  'no verdict': ['refuses all requests after the 60th for a day'],
};
