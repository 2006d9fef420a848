import { Keys } from '../../common/text/redact.ts';
import { tryBehaviours } from '../assumptions/try-behaviours.ts';

const { signal } = new AbortController();

/** For a script of Node: a function that lists the animals, of a base URL if one is given. */
const list = `const list = async (base = process.env.ANIMAL_STORE_URL) => (await fetch(base + '/pets', {
  headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY } })).json();`;

export const printScript = (script: string) => ['--input-type=module', '--eval', `${list}\n${script}`];

/** Tries a script of Node. To the script, `list` is a function that lists the animals. */
export async function tryScript(script: string, messages: string[] = []) {
  const words = [process.execPath, ...printScript(script)];
  const progress: string[] = [];
  const onProgress = (text: string) => progress.push(text);
  const onMessage = (text: string) => messages.push(text);
  const options = { port: 0, apiKeys: ['own-key'] };
  const given = ['--seed', '7'];
  const trialOptions = { given, words, keys: new Keys(), signal, onProgress, onMessage };
  const result = await tryBehaviours(options, trialOptions);
  if (result === undefined) throw new Error('Nothing has interrupted it.');
  return { progress, messages, result };
}
