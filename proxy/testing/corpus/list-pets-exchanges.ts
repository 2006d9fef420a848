import { get } from '../../../mock/testing/http-case.ts';
import {
  answer,
  errorAnswer,
  lawful,
  list,
  printPet,
  type SampleExchange,
  stockSays,
  unlawful,
} from './sample-exchange.ts';

function accepts(query: string): SampleExchange {
  return lawful(`GET /pets?${query} is allowed`, get(`/pets?${query}`), list.response);
}

function reports(query: string): SampleExchange {
  return unlawful(`GET /pets?${query} is reported`, get(`/pets?${query}`), list.response);
}

function answers(title: string, body: string): SampleExchange {
  return lawful(`${title} is allowed`, list.request, answer(200, body));
}

/** Requests for the list of animals, and lawful answers to them. */
export const listPetsExchanges: readonly SampleExchange[] = [
  lawful('a list is allowed', list.request, list.response),
  answers('an empty list', '[]'),
  answers('a list of several animals', `[${printPet()},${printPet({ id: 2 })}]`),
  answers('an animal without a status in a list', `[${printPet({ status: undefined })}]`),
  answers('an extra field in a list', `[${printPet({ color: 'red', tags: [null] })}]`),
  answers('an empty name in a list', `[${printPet({ name: '' })}]`),
  answers('a name in unicode in a list', `[${printPet({ name: 'Zoë 🐈‍⬛ ж' })}]`),
  answers('a list with whitespace', ' [ \n ] '),
  ...['available', 'pending', 'sold'].map((status) =>
    answers(`the status ${status} in a list`, `[${printPet({ status })}]`),
  ),
  lawful('a refused limit is allowed as an answer', list.request, errorAnswer(400)),
  lawful('a refused key is allowed as an answer to a list', list.request, errorAnswer(401)),
  ...['', 'limit=1', 'limit=20', 'limit=100', 'limit=%31', 'l%69mit=1'].map(accepts),
  ...['status=available', 'status=pending', 'status=sold', 'limit=2&status=sold'].map(accepts),
  ...['page=2', 'limit[]=0', 'Xlimit=0&status%5B%5D=lost', '__proto__=1'].map(accepts),
  ...['limit=0', 'limit=-1', 'limit=101', 'limit=1000000000000000000000', 'limit=1.5'].map(reports),
  ...['limit=abc', 'limit=true', 'limit=null', 'limit=1,2', 'limit=%ZZ', 'limit=1&limit=2'].map(reports),
  ...['status=lost', 'status=Available', 'status=%20sold', 'status=null', 'status=available,sold'].map(
    reports,
  ),
  ...['status=sold&status=sold', 'limit=0&status=lost'].map(reports),
  lawful(
    'a parameter named in another case is another parameter',
    get('/pets?Limit=0'),
    list.response,
    stockSays('query case', 200, 'Error request.query.limit minimum'),
  ),
  lawful(
    'a parameter named in another case does not stand in for the right one',
    get('/pets?limit=1&STATUS=lost'),
    list.response,
    stockSays('query case', 200, 'Error request.query.status enum'),
  ),
  lawful(
    'a parameter that gives orders to a mock is any other parameter',
    get('/pets?__code=x'),
    list.response,
    stockSays('preferences', 422),
  ),
  lawful(
    'a header that gives orders to a mock is any other header',
    get('/pets', { Prefer: 'code=x' }),
    list.response,
    stockSays('preferences', 422),
  ),
];
