/** Where to ask for the commit of a tag. */
export interface GitHubApi {
  /** Base URL of GitHub's API. */
  readonly url: string;
  /** A token without any rights is enough. Without one GitHub answers 60 requests in an hour. */
  readonly token?: string | undefined;
}

const commitSha = /^[0-9a-f]{40}$/;

/** Time to wait for an answer, in milliseconds. */
const PATIENCE = 30_000;

/**
 * Asks GitHub for the commit of a tag. A branch of the same name is not meant.
 *
 * @returns its SHA
 * @throws if there is no such tag, or no answer with a SHA
 */
export async function readTag({ url, token }: GitHubApi, repository: string, tag: string): Promise<string> {
  const headers: Record<string, string> = {
    Accept: 'application/vnd.github.sha',
    'User-Agent': 'animal-store-pin-actions',
    'X-GitHub-Api-Version': '2022-11-28',
  };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  const address = `${url}/repos/${repository}/commits/tags/${encodeURIComponent(tag)}`;
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(PATIENCE) });
  const text = (await response.text()).trim();
  const name = `${repository}@${tag}`;
  if (response.status === 403 || response.status === 429)
    throw new Error(`${name}: GitHub answers ${response.status}. Set GITHUB_TOKEN, or try again in an hour.`);
  if (!response.ok)
    throw new Error(`${name}: GitHub answers ${response.status}. Correct the name or the tag of the action.`);
  if (!commitSha.test(text))
    throw new Error(`${name}: GitHub answers ${text.slice(0, 60)}, which is no SHA.`);
  return text;
}
