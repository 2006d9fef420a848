/** Returns whether Express failed to decode a parameter of a path, such as `%ff`. */
export function isUndecodable(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400;
}
