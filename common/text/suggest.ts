/** Returns the known name that is nearest to a misspelt one; undefined if none differs by at most two letters. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  return [1, 2].flatMap((edits) => known.filter((one) => isNear(name, one, edits)))[0];
}

/** Returns ". Did you mean X?" for a misspelt name, or for the beginning of one known name only; else an empty text. */
export function printSuggestion(name: string, known: readonly string[]): string {
  const [whole, ...others] = known.filter((one) => one.startsWith(name));
  const nearest = suggest(name, known) ?? (others.length === 0 ? whole : undefined);
  return nearest === undefined ? '' : `. Did you mean ${nearest}?`;
}

/** Returns whether it takes at most so many letters, inserted, removed or replaced, to make one word of the other. */
function isNear(word: string, other: string, edits: number): boolean {
  if (word === '' || other === '') return word.length + other.length <= edits;
  const [rest, otherRest] = [word.slice(1), other.slice(1)];
  if (word[0] === other[0]) return isNear(rest, otherRest, edits);
  const isNext = (left: string, right: string) => isNear(left, right, edits - 1);
  return edits > 0 && (isNext(rest, otherRest) || isNext(rest, other) || isNext(word, otherRest));
}
