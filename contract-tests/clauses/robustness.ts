import { printExactJson } from '../../common/json/exact-json.ts';
import { NotApplicable } from '../client/clause-errors.ts';
import { inParallel } from '../client/in-parallel.ts';
import { underHeading } from '../vocabulary/clause.ts';
import type { FindFault } from '../vocabulary/context.ts';
import { expectAnswer, wrongStatus } from '../vocabulary/expectations.ts';
import { findErrorFault, isTooLong } from './errors.ts';
import { expectMediaType } from './post-pets/expect-created.ts';
import { expectAnyCategory } from './post-pets/expect-kept.ts';

export const robustnessClauses = underHeading('Robustness', { phase: 'single requests', needs: ['writes'] })([
  {
    id: 'recommended/strict-json',
    isParallel: true,
    sentence:
      'POST /pets refuses NaN and comments, even in unknown fields (RFC 8259 lets a parser accept them).',
    run: async (context) => {
      const valid = printExactJson(await context.createPet('perhaps JSON', 'sold'));
      // Source: RFC 8259, section 9
      const bodies = [',"x":NaN}', '/* no */}'].map((end) => valid.replace('}', end));
      await inParallel(bodies, async (body) => {
        const exchange = await context.post(body);
        expectAnswer(context, exchange, '4xx', exchange.status >= 400 && exchange.status < 500);
      });
    },
  },
  {
    id: 'recommended/chunked-body',
    sentence: 'POST /pets accepts a body that is sent in chunks, unless it requires a Content-Length (411).',
    run: async (context) => {
      const body = printExactJson(await context.createPet('in chunks', 'sold'));
      // Source: RFC 9112, sections 6.3 and 7.1
      const inChunks = await context.post(body, { headers: { 'Transfer-Encoding': 'chunked' } });
      context.compare(inChunks);
      if (inChunks.isSuccess || inChunks.status === 411) return;
      const withLength = await context.post(body);
      if (withLength.isSuccess) throw wrongStatus('201 or 411', inChunks);
      throw new NotApplicable(`the same body with a Content-Length was refused too: ${withLength.outcome}`);
    },
  },
  {
    id: 'recommended/media-type-case',
    sentence:
      'POST /pets accepts the media type application/json in any letter case (RFC 9110, section 8.3.1).',
    run: async (context) => {
      const isAlike = context.additions.some(({ sent }) => sent.status === undefined);
      if (!isAlike) await context.addAnimal('with a type');
      await expectMediaType(context, 'Application/JSON');
    },
  },
  {
    id: 'recommended/category-below-1',
    sentence:
      'POST /pets accepts zero and negative categoryIds where it accepts positive ones that no animal has.',
    run: (context) => expectAnyCategory(context, (categoryId) => categoryId < 1n),
  },
  {
    id: 'recommended/undecodable-path',
    sentence: 'A path that is not UTF-8 or has a NUL is refused with a 4xx, not with a 5xx.',
    needs: ['getPet'],
    phase: 'responses',
    run: async (context) => {
      for (const path of ['/pets/%E0%A4', '/pets/%00']) {
        const exchange = await context.getKnown(path);
        context.compare(exchange);
        // A success is left to get-pet/non-integer.
        if (exchange.response === undefined || exchange.status >= 500) throw wrongStatus('4xx', exchange);
      }
    },
  },
  {
    id: 'recommended/long-path',
    sentence: 'An id of 400 digits, or a long key, that is refused as too long (414, 431) gets an Error.',
    needs: ['getPet'],
    phase: 'responses',
    run: async (context) => {
      const tooLong = await context.getKnown(`/pets/${'9'.repeat(400)}`);
      expectAnswer(context, tooLong, 'below 500', tooLong.status > 0 && tooLong.status < 500);
      const findFault: FindFault = (exchange) => !isTooLong(exchange) || findErrorFault(exchange);
      context.expectNoFault(context.journal, findFault, new Error('No request was sent.'));
    },
  },
]);
