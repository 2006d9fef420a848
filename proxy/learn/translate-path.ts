import { UNKNOWN_PATH } from '../../common/learn/name-kind.ts';

/** Ids that apps send by mistake. Another word may be a path that the service has. */
const MISTAKEN_ID = /^\/pets\/(?:undefined|null|NaN|None|nil|abc|\d+\.\d+)$/;

/** How the suite spells a petId that is no int64. */
const MALFORMED = '/pets/abc';

/**
 * Spells a path and its query as the suite does, so that the observers find it: `limit` first, no `limit=20`, and one spelling of
 * malformed ids and unknown paths.
 * @param isUnknown returns whether only 404 was received at a path like this one
 */
export function translatePath(path: string, isUnknown: (path: string) => boolean): string {
  const [place = '', query] = path.split(/\?(.*)/s);
  if (place === '/pets') return `${place}${query === undefined ? '' : translateQuery(query)}`;
  if (MISTAKEN_ID.test(path)) return MALFORMED;
  return isUnknown(place) ? UNKNOWN_PATH : path;
}

function translateQuery(query: string): string {
  const given = [...new URLSearchParams(query)];
  const { limit, status, ...others } = Object.fromEntries(given);
  const names = new Set(given.map(([name]) => name));
  // A parameter that is given twice, or one that GET /pets does not have, stays as it is.
  if (names.size < given.length || Object.keys(others).length > 0) return `?${query}`;
  const parts = [
    ...(limit === undefined || limit === '20' ? [] : [`limit=${encodeURIComponent(limit)}`]),
    ...(status === undefined ? [] : [`status=${encodeURIComponent(status)}`]),
  ];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Returns the first segment of a path, which says of which resource it is. */
export function resourceOf(path: string): string {
  return path.split(/[/?]/)[1] ?? '';
}
