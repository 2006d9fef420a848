import type { Member } from '../../common/json/animal-facts.ts';
import { showValue } from '../client/show-value.ts';
import { toAgain } from '../client/to-request.ts';
import { areAtOnce, type ListAnswer } from '../history/history.ts';
import { isSameValue, isValueOf } from '../history/member-values.ts';
import type { Evidence, Gap, Look } from './rule.ts';
import { compare, sight } from './sight.ts';

/** Returns the gap of a deployment whose animals all have the same value of a filter, or show none. */
export function needsValues({ history }: Evidence): Gap | undefined {
  const { filters } = history.contract;
  const shown = [...history.animals.values()].flatMap(({ observations }) => observations);
  const unseen = filters.find((filter) => {
    const values = shown.map((one) => one.shown?.[filter.name]).filter((value) => isValueOf(filter, value));
    return new Set(values).size < 2;
  });
  return unseen && { reason: `no responses have shown animals of two values of ${unseen.name}` };
}

/** Looks for animals that do not match a filter. A value that is not shown may be any one. */
export function lookAtFilters({ history }: Evidence): readonly Look[] {
  return history.lists.flatMap(({ exchange, query }) =>
    query.filters.flatMap(({ filter, value }) => {
      const { name: member } = filter;
      const shown = exchange.animals.filter((animal) => animal[member] !== undefined);
      if (shown.length === 0) return [];
      const others = shown.filter((animal) => !isSameValue(filter, animal[member], value));
      const [other] = others;
      if (other === undefined) return [compare(exchange, shown)];
      const [id, received] = [showValue(other.id), showValue(other[member])];
      const about = others.flatMap((animal) => (typeof animal.id === 'bigint' ? [animal.id] : []));
      return [sight(exchange, { kind: 'filter', member, expected: `${value}`, id, received }, { about })];
    }),
  );
}

/** Looks for animals that do not show a member and are in the lists by two of its values. */
export function lookForTwoValues(evidence: Evidence): readonly Look[] {
  const { filters, pet } = evidence.history.contract;
  const optional = filters.filter(({ name }) => pet.some((one) => one.name === name && !one.isRequired));
  return optional.flatMap((filter) => lookForTwoValuesOf(evidence, filter));
}

/** Others may change a member between two lists. */
function lookForTwoValuesOf({ history }: Evidence, { name: member }: Member): readonly Look[] {
  const filteredBy = ({ query }: ListAnswer) =>
    query.filters.find(({ filter }) => filter.name === member)?.value;
  const shownIn = new Map<bigint, ListAnswer[]>();
  for (const list of history.lists) {
    if (!list.query.isValid || filteredBy(list) === undefined) continue;
    for (const { id, [member]: shown } of list.exchange.animals) {
      if (shown !== undefined || typeof id !== 'bigint') continue;
      shownIn.set(id, [...(shownIn.get(id) ?? []), list]);
    }
  }
  const turns = [...shownIn].flatMap(([id, lists]) => {
    const inTurn = lists.toSorted((one, other) => one.exchange.at - other.exchange.at);
    return inTurn.flatMap((list, index) => {
      const before = inTurn.slice(0, index).findLast((other) => filteredBy(other) !== filteredBy(list));
      if (before === undefined) return [];
      const after = inTurn.slice(index + 1).find((other) => filteredBy(other) === filteredBy(before));
      return after === undefined ? [] : [{ id, before, list, after }];
    });
  });
  const byList = Map.groupBy(turns, ({ list }) => list);
  return [...byList].map(([list, [first, ...others]]) => {
    const { id, before, after } = first as (typeof turns)[number];
    // Others do not change several animals for a moment, and all of them back.
    const isOfMany = others.length + 1 >= SEVERAL;
    const isAtOnce = areAtOnce(before.exchange, after.exchange);
    const values = [before, list].map((one) => `${filteredBy(one)}`);
    return sight(
      list.exchange,
      { kind: 'two lists', id: String(id), member, values },
      {
        subject: 'two lists',
        evidence: isOfMany || isAtOnce ? 'seen' : 'to be asked again',
        ask: [before, list, after].map(({ exchange }) => toAgain(exchange)),
        about: [id, ...others.map((other) => other.id)],
        before: [before.exchange],
        more: [after.exchange],
      },
    );
  });
}

/** So many animals that change at once are not changed by others. */
const SEVERAL = 3;
