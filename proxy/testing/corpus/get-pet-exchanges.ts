import { get } from '../../../mock/testing/http-case.ts';
import {
  answer,
  errorAnswer,
  fetched,
  lawful,
  printPet,
  type SampleExchange,
  stockSays,
  unlawful,
} from './sample-exchange.ts';

function answers(title: string, body: string): SampleExchange {
  return lawful(`${title} is allowed`, fetched.request, answer(200, body));
}

/** Requests for one animal, and lawful answers to them. */
export const getPetExchanges: readonly SampleExchange[] = [
  answers('an animal', printPet()),
  answers('an animal without a status', printPet({ status: undefined })),
  answers('an animal with an extra field', printPet({ color: null })),
  answers('an animal with its members in another order', '{"categoryId":2,"name":"Rex","id":1}'),
  answers('an animal with an integer in another notation', '{"id":1.0,"name":"Rex","categoryId":1e2}'),
  answers('an animal with negative integers', printPet({ id: -1, categoryId: -9007199254740991 })),
  lawful('an unknown animal is allowed as an answer', fetched.request, errorAnswer(404)),
  lawful('a refused key is allowed as an answer to a fetch', fetched.request, errorAnswer(401)),
  ...['/pets/0', '/pets/-1', '/pets/%31', '/pets/9007199254740991', '/pets/1?', '/pets/1?limit=0'].map(
    (path) => lawful(`GET ${path} is allowed`, get(path), fetched.response),
  ),
  ...['9007199254740992', '9223372036854775807'].map((id) =>
    lawful(
      `GET /pets/${id} is allowed`,
      get(`/pets/${id}`),
      fetched.response,
      stockSays('int64', 200, 'Error request.path.petid maximum'),
    ),
  ),
  lawful(
    'GET /pets/-9223372036854775808 is allowed',
    get('/pets/-9223372036854775808'),
    fetched.response,
    stockSays('int64', 200, 'Error request.path.petid minimum'),
  ),
  ...['9223372036854775808', '-9223372036854775809', 'abc', '1.5', 'true', 'null', '1,2', '1%2F2', ''].map(
    (id) => unlawful(`GET /pets/${id} is reported`, get(`/pets/${id}`), fetched.response),
  ),
  unlawful('a path that cannot be decoded is reported', get('/pets/%ZZ'), fetched.response, {
    name: 'end of process',
    outcome: 'ends',
  }),
];
