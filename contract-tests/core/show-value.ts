/** Prints a JSON value for a message, or says that there is none. */
export function showValue(value: unknown): string {
  return typeof value === 'bigint'
    ? String(value)
    : (JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ??
        'nothing');
}
