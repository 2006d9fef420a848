import { printExactJson } from '../../common/exact-json.ts';
import { addAnimal, createNewPet, isAddition } from '../core/add-animal.ts';
import { defineClauses } from '../core/clause.ts';
import type { RequestOptions } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { type Exchange, isSuccess, outcomeOf, readSent } from '../core/exchange.ts';
import { inParallel } from '../core/in-parallel.ts';
import { expectNoServerFault, Failed, Skipped } from '../core/result.ts';
import { findErrorFault, isTooLong } from './errors/expect-of-responses.ts';
import { expectMediaType } from './post-pets/expect-created.ts';
import { expectAnyCategory } from './post-pets/expect-kept.ts';

/** What no sentence covers, and clients are glad of. */
export const robustnessClauses = defineClauses('Robustness', [], {
  'advised/strict-json': {
    isBeside: true,
    level: 'advised',
    sentence:
      'POST /pets refuses NaN and comments in what nobody reads (RFC 8259 lets a parser accept them).',
    explainedBy: ['create-pet/malformed'],
    needs: ['writes'],
    run: async (context) => {
      const valid = printExactJson(await createNewPet(context, 'perhaps JSON', { status: 'sold' }));
      // Source: RFC 8259, section 9
      const bodies = [',"x":NaN}', '/* no */}'].map((end) => valid.replace('}', end));
      await inParallel(bodies, async (body) => {
        const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
        expectNoServerFault(exchange);
        if (isSuccess(exchange)) throw new Failed('a 4xx', outcomeOf(exchange), exchange);
      });
    },
  },
  'advised/chunked-body': {
    level: 'advised',
    sentence: 'POST /pets takes a body that is sent in chunks, unless it wants its length (411).',
    explainedBy: ['create-pet/success'],
    needs: ['writes'],
    run: async (context) => {
      const body = printExactJson(await createNewPet(context, 'in chunks', { status: 'sold' }));
      const post = { method: 'POST', path: '/pets', body };
      // Source: RFC 9112, sections 6.3 and 7.1
      const inChunks = await context.client.send({ ...post, headers: { 'Transfer-Encoding': 'chunked' } });
      if (isSuccess(inChunks) || inChunks.response?.status === 411) return;
      const withLength = await context.client.send(post);
      if (isSuccess(withLength)) throw new Failed('201, or 411', outcomeOf(inChunks), inChunks);
      throw new Skipped(`the same body with its length was refused too: ${outcomeOf(withLength)}`);
    },
  },
  'advised/media-type-case': {
    level: 'advised',
    sentence:
      'POST /pets accepts the media type application/json in any letter case (RFC 9110, section 8.3.1).',
    explainedBy: ['create-pet/success'],
    needs: ['writes'],
    run: async (context) => {
      const isAlike = (one: Exchange) => isAddition(one) && readSent(one.request).status === undefined;
      if (!context.client.journal.some(isAlike)) await addAnimal(context, 'with a type');
      await expectMediaType(context, 'Application/JSON');
    },
  },
  'advised/category-below-1': {
    level: 'advised',
    sentence:
      'POST /pets accepts zero and negative categoryIds where it accepts positive ones that no animal has.',
    explainedBy: ['create-pet/category-any'],
    needs: ['writes'],
    run: (context) => expectAnyCategory(context, (categoryId) => categoryId < 1n),
  },
  'advised/undecodable-path': {
    level: 'advised',
    sentence: 'A path that is not UTF-8 or has a NUL is refused with a 4xx, not with a 5xx.',
    needs: ['getPet'],
    observes: true,
    run: async (context) => {
      for (const path of ['/pets/%E0%A4', '/pets/%00']) {
        const exchange = await observe(context, { path });
        // A success is left to get-pet/non-integer.
        if ((exchange.response?.status ?? 500) >= 500)
          throw new Failed('a 4xx', outcomeOf(exchange), exchange);
      }
      context.decide(2);
    },
  },
  'advised/long-path': {
    level: 'advised',
    sentence: 'An id of 400 digits, or a long key, that is refused as too long (414, 431) gets an Error.',
    needs: ['getPet'],
    observes: true,
    run: async (context) => {
      const long = await observe(context, { path: `/pets/${'9'.repeat(400)}` });
      expectNoServerFault(long);
      const refused = new Set([long, ...context.client.journal].filter(isTooLong));
      for (const exchange of refused) {
        const fault = findErrorFault(exchange);
        if (fault !== undefined) throw new Failed('an Error', fault, exchange);
      }
    },
  },
});

/** What another clause has sent already, or else is sent now. */
async function observe({ client, decide }: Context, request: RequestOptions): Promise<Exchange> {
  decide(1);
  const isSame = (exchange: Exchange) => exchange.request.path === request.path;
  return client.journal.findLast(isSame) ?? (await client.send(request));
}
