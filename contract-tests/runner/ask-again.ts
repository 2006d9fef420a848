import type { RequestOptions } from '../client/client.ts';
import { listOwn } from '../requests/lists.ts';
import type { Sender } from '../requests/sender.ts';
import { ONCE_WRONG, type Sighting } from '../rules/rule.ts';
import type { JudgedFault, Judgement } from './judge.ts';
import { isCounted } from './judge.ts';

/** How often a question is asked again, and how often an animal is added again, which nothing can remove. */
const ROUNDS = 10;
const ROUNDS_OF_ADDITIONS = 2;

/** How many faults of a clause are asked again, and how many questions of a fault. */
const MOST_FAULTS = 4;
const MOST_QUESTIONS = 3;

/** Asks again what others, or a delay, may have caused. It is the only place that does. */
export async function askAgain(sender: Sender, judgements: readonly Judgement[]): Promise<void> {
  const ownFaults = judgements.filter(({ clause }) => clause.id !== ONCE_WRONG);
  const chosen = ownFaults.flatMap(({ faults }) => chooseFaults(faults));
  if (chosen.length === 0) return;
  const isAboutNew = chosen.some(({ sightings }) =>
    sightings.some((one) => canBeAsked(one) && !isCounted(one)),
  );
  if (isAboutNew) {
    sender.noteNew();
    await sender.settle();
  }
  const asked = new Set<string>();
  for (const { sightings } of chosen) await askOne(sender, sightings, asked);
  await lookAtAdded(sender, chosen);
}

/** Returns whether another request could decide. A list without room stays without room. */
function canBeAsked({ excuse, evidence, ask = [] }: Sighting): boolean {
  return ask.length > 0 && excuse !== 'no room' && evidence !== 'firm';
}

/** Chooses the faults with the most responses that nothing excuses. */
function chooseFaults(faults: readonly JudgedFault[]): readonly JudgedFault[] {
  const weigh = ({ sightings }: JudgedFault) => sightings.filter(({ excuse }) => excuse === undefined).length;
  return faults
    .filter(({ verdict, sightings }) => verdict !== 'wrong' && sightings.some(canBeAsked))
    .toSorted((one, other) => weigh(other) - weigh(one))
    .slice(0, MOST_FAULTS);
}

async function askOne(sender: Sender, sightings: readonly Sighting[], asked: Set<string>): Promise<void> {
  const round = createRound(sightings.filter(canBeAsked));
  const key = round.map(keyOf).join('\n');
  if (asked.has(key)) return;
  asked.add(key);
  const isAddition = round.some(({ method, isAuthorized }) => method === 'POST' && isAuthorized !== false);
  const rounds = isAddition ? ROUNDS_OF_ADDITIONS : ROUNDS;
  for (let index = 0; index < rounds; index += 1) {
    // Every second round is longer by one: what changes with each request, such as the instance that answers, would otherwise be the same
    // for each question in every round.
    const [again] = round;
    const sent = index % 2 === 1 && !isAddition && again !== undefined ? [...round, again] : round;
    for (const request of sent) {
      const exchange = await sender.send(request);
      if (exchange?.isAddition) await sender.look(exchange);
    }
  }
  const [first] = round;
  if (!isAddition && first !== undefined) await sender.send(first);
}

/** Creates the requests of a round: those about the animals that most responses lack, each question once. */
function createRound(sightings: readonly Sighting[]): readonly RequestOptions[] {
  const isExcused = ({ excuse }: Sighting) => Number(excuse !== undefined);
  const unexcusedFirst = sightings.toSorted((one, other) => isExcused(one) - isExcused(other));
  const asks = new Map(unexcusedFirst.map(({ ask = [] }) => [ask.map(keyOf).join('\n'), ask]));
  const [first = [], ...others] = [...asks.values()].slice(0, MOST_QUESTIONS);
  const asked = new Set(first.map(keyOf));
  return [...first, ...others.flat().filter((request) => asked.size < asked.add(keyOf(request)).size)];
}

function keyOf({ method = 'GET', path, headers = {}, body = '' }: RequestOptions): string {
  return JSON.stringify([method, path, headers, body]);
}

/** Looks once more at what was added while asking again, when it can no longer be late. */
async function lookAtAdded(sender: Sender, chosen: readonly JudgedFault[]): Promise<void> {
  const isAdded = chosen.some(({ sightings }) =>
    sightings.some(({ ask = [] }) => ask.some(({ method }) => method === 'POST')),
  );
  if (!isAdded) return;
  await sender.settle();
  await sender.sendTogether(listOwn(sender));
}
