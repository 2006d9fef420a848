import { Failed, NotTested, TooFewAnimals } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import type { Target } from '../../client/target.ts';
import { type Context, isRemoved } from '../../vocabulary/context.ts';
import { expectFields, wrongStatus } from '../../vocabulary/expectations.ts';
import { findOtherType } from '../../vocabulary/find-schema-fault.ts';
import { tryAgain } from '../../vocabulary/lists.ts';

/** Creates the headers that a browser sends for a page of the deployment's own origin, which needs no CORS. */
function createBrowserHeaders({ baseUrl, headers }: Target): Readonly<Record<string, string>> {
  const { origin } = new URL(baseUrl);
  const ofBrowser = {
    Accept: 'application/json, text/plain, */*',
    'Accept-Language': 'fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5',
    Cookie: 'theme=dark; _ga=GA1.1.1234567890.1700000000',
    Origin: origin,
    Referer: `${origin}/animals`,
    'Sec-Fetch-Dest': 'empty',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Site': 'same-origin',
  };
  // A gateway may need those of --header.
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(ofBrowser).filter(([name]) => !given.has(name.toLowerCase())));
}

/** Headers by which a service may refuse pages of other origins. */
const ofOrigin = ['Origin', 'Referer', 'Sec-Fetch-Site', 'Sec-Fetch-Mode'];

/** Creates the same headers without those that name the origin of the page. */
export function createHeadersWithoutOrigin(target: Target): Readonly<Record<string, string>> {
  const all = Object.entries(createBrowserHeaders(target));
  return Object.fromEntries(all.filter(([name]) => !ofOrigin.includes(name)));
}

/** Lists to request: of animals that show a status, and of all. */
const lists = ['/pets?limit=5&status=sold', '/pets?limit=5'];

/** Expects a list and an animal to be as without the headers of a browser. */
export function expectSameInBrowser(context: Context): Promise<void> {
  return tryAgain(context, async (tries) => {
    const get = (path: string) => (tries === 0 ? context.getKnown(path) : context.get(path));
    for (const path of lists) {
      const plain = await get(path);
      if (!plain.isList) throw new NotTested(`GET ${path} returned ${plain.outcome} and no list`);
      const animal = plain.animals.find(({ id }) => typeof id === 'bigint');
      if (animal === undefined) continue;
      await expectSameResponse(context, plain);
      if (!(await isRemoved(context))) await expectSameResponse(context, await get(`/pets/${animal.id}`));
      return;
    }
    throw new TooFewAnimals('the list has no animal to request with other headers');
  });
}

/** @throws Failed when the response differs, and also if the browser is first, while the others agree */
async function expectSameResponse(context: Context, plain: Exchange): Promise<void> {
  const compare = async () => expectSameAnimals(context, plain, await sendAsBrowser(context, plain));
  const failed = await compare().catch((error: unknown) => error);
  if (!(failed instanceof Failed)) {
    if (failed !== undefined) throw failed;
    return;
  }
  const again = await compare().then(
    () => false,
    () => true,
  );
  const plainAgain = await context.get(plain.path);
  const isSteady = plainAgain.status === plain.status && !isOther(context, plain, plainAgain);
  if (again && isSteady) throw failed;
}

function isOther(context: Context, one: Exchange, other: Exchange): boolean {
  try {
    expectSameAnimals(context, one, other);
    return false;
  } catch {
    return true;
  }
}

async function sendAsBrowser(context: Context, plain: Exchange): Promise<Exchange> {
  const { path } = plain;
  const first = await context.send({ path, headers: createBrowserHeaders(context.target) });
  // A service may allow no origin, or not know its own behind a proxy.
  const isOrigin = first.status === 403 && plain.status !== 403;
  const headers = createHeadersWithoutOrigin(context.target);
  const exchange = isOrigin ? await context.send({ path, headers }) : first;
  context.compare(exchange, exchange.animals);
  if (plain.status !== 200 || exchange.status === 200) return exchange;
  throw wrongStatus(200, exchange, { before: [plain] }, { what: 'form', form: 'headers of a browser' });
}

/** Others may change a status, or remove an animal, in between. */
function expectSameAnimals(context: Context, plain: Exchange, exchange: Exchange): void {
  if (plain.json !== undefined && (exchange.json === undefined || plain.isList !== exchange.isList)) {
    const expected = plain.isList ? 'list' : 'Pet';
    const problem = findOtherType(exchange);
    const body = exchange.shorten(`${exchange.response?.body}`);
    throw new Failed({ kind: 'body', expected, problem, body }, exchange, { before: [plain] });
  }
  const animalsOf = (one: Exchange) => (one.isList ? one.animals : [one.object ?? {}]);
  const byId = Map.groupBy(animalsOf(exchange), ({ id }) => id);
  for (const [id, [animal = {}, ...twins]] of Map.groupBy(animalsOf(plain), (one) => one.id)) {
    const [actual, ...others] = byId.get(id) ?? [];
    // Another clause is about an id that two animals have.
    if (actual === undefined || twins.length + others.length > 0) continue;
    expectFields(context, exchange, [animal, actual], ['name', 'categoryId', 'status'], 'in a browser');
  }
}
