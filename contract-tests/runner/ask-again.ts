import type { RequestOptions } from '../client/to-request.ts';
import { ageOf } from '../history/tolerances.ts';
import { listOwn, lookBeforeMore } from '../requests/lists.ts';
import type { Sender } from '../requests/sender.ts';
import { ONCE_WRONG, type Sighting } from '../rules/rule.ts';
import { isOfService } from '../rules/sight.ts';
import { findShown, isCounted, type JudgedFault, type Judgement } from './judge.ts';

/** How often a question is asked again, and how often an animal is added again. */
const ROUNDS = 10;
const ROUNDS_OF_ADDITIONS = 2;

/** How many faults of a clause are asked again, and how many questions of a fault. */
const MOST_FAULTS = 4;
const MOST_QUESTIONS = 3;

/** How many animals are added at the end where lists did not show new ones at first. */
const MORE_ANIMALS = 3;

/** How often what failed is asked for once more, since one of two versions may answer, and for how many failures. */
const COUNTING = { reading: { rounds: 7, most: 20 }, adding: { rounds: 5, most: 3 } };

/** Asks again what others, or a delay, may have caused. It is the only place that does. */
export async function askAgain(sender: Sender, judgements: readonly Judgement[]): Promise<void> {
  const ownFaults = judgements.filter(({ clause }) => clause.id !== ONCE_WRONG);
  const chosen = ownFaults.flatMap(({ faults }) => chooseFaults(faults));
  if (chosen.length === 0) return;
  const aboutNew = chosen.flatMap(({ sightings }) =>
    sightings.filter((one) => canBeAsked(one) && !isCounted(one)),
  );
  if (aboutNew.length > 0) {
    // A response that says its age may lack what is new for as long.
    const late = aboutNew.filter(({ excuse }) => excuse === 'late');
    sender.noteNew();
    await sender.settle(Math.max(0, ...late.map(({ exchange }) => ageOf(exchange))));
  }
  const asked = new Set<string>();
  for (const { sightings } of chosen) {
    const round = createRound(sightings.filter(canBeAsked));
    await askOne(sender, round, asked, mayAdd(round) ? ROUNDS_OF_ADDITIONS : ROUNDS);
  }
  if (aboutNew.length > 0 && sender.mayWrite) await lookBeforeMore(sender, MORE_ANIMALS);
  await lookAtAdded(sender, chosen);
}

/** Asks for each failure some times more, so that the report can say how often it is seen. The verdict stays. */
export async function countFailures(sender: Sender, judgements: readonly Judgement[]): Promise<void> {
  const required = judgements.filter(({ clause }) => clause.level === 'required');
  // What got no answer of the service, again and again, would take long, and counts itself.
  const shown = required.flatMap((judgement) => findShown(judgement) ?? []);
  const rounds = shown.flatMap(({ exchange, ask = [] }) => (isOfService(exchange) ? [ask] : []));
  const asked = new Set<string>();
  for (const kind of ['reading', 'adding'] as const) {
    const { rounds: often, most } = COUNTING[kind];
    const alike = rounds.filter((round) => mayAdd(round) === (kind === 'adding'));
    for (const round of alike.slice(0, most)) await askOne(sender, round, asked, often);
  }
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

/** Returns whether a round may add animals, which nothing can remove. */
function mayAdd(round: readonly RequestOptions[]): boolean {
  return round.some(({ method, isAuthorized }) => method === 'POST' && isAuthorized !== false);
}

/** Sends the requests of a round some times again, unless it was asked before. */
async function askOne(
  sender: Sender,
  round: readonly RequestOptions[],
  asked: Set<string>,
  rounds: number,
): Promise<void> {
  const key = round.map(keyOf).join('\n');
  if (round.length === 0 || asked.has(key)) return;
  asked.add(key);
  for (let index = 0; index < rounds; index += 1) {
    // Every second round is longer by one: what changes with each request, such as the instance that answers, would otherwise be the same
    // for each question in every round.
    const [again] = round;
    const sent = index % 2 === 1 && !mayAdd(round) && again !== undefined ? [...round, again] : round;
    for (const request of sent) {
      // A load balancer may choose the instance for each connection.
      const exchange = await sender.send({ ...request, hasOwnConnection: true });
      if (exchange?.isAddition) await sender.look(exchange);
    }
  }
  const [first] = round;
  if (!mayAdd(round) && first !== undefined) await sender.send(first);
}

/** Creates the requests of a round: those about the animals that most responses lack, each question once. */
function createRound(sightings: readonly Sighting[]): readonly RequestOptions[] {
  const { excused = [], unexcused = [] } = Object.groupBy(sightings, ({ excuse }) =>
    excuse === undefined ? 'unexcused' : 'excused',
  );
  // Responses have shown since whether an early one was late; not so for the last ones.
  const chosen = [...unexcused, ...excused.toReversed()];
  const asks = new Map(chosen.map(({ ask = [] }) => [ask.map(keyOf).join('\n'), ask]));
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
