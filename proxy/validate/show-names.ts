/** Maximum length of the name of a member that is shown. Only the length of a longer one is shown. */
const LONGEST_NAME = 80;

/** Maximum number of names in a location. JSON may be nested some thousand times. */
const MOST_NAMES = 20;

/** Returns the name of a member as it is shown. A cut one could end with half a key. */
export function showName(name: string): string {
  return name.length > LONGEST_NAME ? `(a name of ${name.length} characters)` : name;
}

/** Returns a location as it is shown. */
export function showLocation(location: readonly string[]): readonly string[] {
  const names = location.slice(0, MOST_NAMES).map(showName);
  return location.length > MOST_NAMES ? [...names, '…'] : names;
}
