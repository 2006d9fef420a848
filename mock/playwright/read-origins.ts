import { describeValue } from '../../common/http/api-error.ts';

/** The URLs of an option of the fixtures; undefined if it is not set. */
type Urls = string | readonly string[] | undefined;

/** Returns the origins of the URLs that options have. @throws Error that names the option and its value if it is no URL */
export function readOrigins(options: Readonly<Record<string, Urls>>): ReadonlySet<string> {
  const origins = Object.entries(options).flatMap(([option, urls]) =>
    [urls ?? []].flat().map((url) => readOrigin(option, url)),
  );
  return new Set(origins);
}

function readOrigin(option: string, url: string): string {
  // `localhost:3000` is a URL too, with the scheme `localhost:`.
  const { origin, protocol } = URL.canParse(url) ? new URL(url) : {};
  if (origin === undefined || !/^https?:$/.test(`${protocol}`))
    throw new Error(
      `The option ${option} has ${describeValue(url)}. Give a URL with its scheme, such as http://127.0.0.1:3000.`,
    );
  return origin;
}
