import { Keys } from '../../common/text/redact.ts';
import { tryBehaviours } from '../assumptions/try-behaviours.ts';
import type { MockOptions } from '../mock-options.ts';

const { signal } = new AbortController();

/** For a script of bash, which starts much faster than Node: `ask` prints the response with the list of animals. */
const ask = `ask() {
  curl --silent --include --noproxy '*' --cacert "$NODE_EXTRA_CA_CERTS" \\
    --header "Authorization: Bearer $ANIMAL_STORE_API_KEY" "$ANIMAL_STORE_URL/pets"
}`;

/** Returns the command that runs a script of bash with the function `ask`. */
export const toCommand = (script: string) => ['bash', '-c', `${ask}\n${script}`];

/** Tries a command. */
export async function tryCommand(words: readonly string[], messages: string[] = [], more: MockOptions = {}) {
  const progress: string[] = [];
  const onProgress = (text: string) => progress.push(text);
  const onMessage = (text: string) => messages.push(text);
  const options = { port: 0, apiKeys: ['own-key'], ...more };
  const given = ['--seed', '7'];
  const trialOptions = { given, words, keys: new Keys(), signal, onProgress, onMessage };
  const result = await tryBehaviours(options, trialOptions);
  if (result === undefined) throw new Error('Nothing has interrupted it.');
  return { progress, messages, result };
}
