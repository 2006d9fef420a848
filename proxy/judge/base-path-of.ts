/** The path of a base URL, without a slash at its end. */
export function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}
