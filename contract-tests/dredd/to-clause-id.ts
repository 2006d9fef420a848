/** Returns the id of the clause of a transaction of Dredd, such as `dredd/listPets-200`. */
export function toClauseId(transaction: string): string {
  return `dredd/${transaction.replace(' ', '-')}`;
}
