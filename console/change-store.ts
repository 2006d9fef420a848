import { ask, askExactly, Refusal } from './ask.ts';
import { type Fault, isClockMoved, readClock, type ServerState, state, waitForState } from './data.ts';
import { recall, remember } from './memory.ts';
import { attempt, MOST_UNDOABLE, tell } from './notice.ts';
import { describeFault } from './parts.ts';

/** Animals that the store can be filled with. */
export interface Profile {
  readonly name: string;
  readonly animals: number;
  readonly purpose: string;
}

/** The most animals that are kept here, so that they can be put back. */
const MOST_KEPT = 100_000;

/**
 * Changes the animals of the store, which can be undone as long as nobody else changes them.
 * @param text what is told. @param undoMore what there is to undo beside the animals.
 */
function change(
  text: string,
  act: () => Promise<unknown>,
  undoMore?: () => Promise<unknown>,
): Promise<boolean> {
  return attempt(async () => {
    const { startedAt, version: before } = state.server ?? {};
    const isKept = (state.server?.animals ?? 0) <= MOST_KEPT;
    const animals = isKept ? await askExactly('GET', 'animals') : undefined;
    await act();
    await waitForState(({ version }) => version !== before);
    if (animals === undefined) {
      tell({ text: `${text} More than ${MOST_KEPT.toLocaleString()} animals cannot be put back.` });
      return;
    }
    const own = { before, after: state.server?.version };
    changes.push(own);
    if (changes.length > MOST_UNDOABLE) changes.shift();
    let isBack = false;
    const undo = async () => {
      if (!isBack) {
        if (state.server?.startedAt !== startedAt || state.server?.version !== own.after)
          throw new Error('The animals have been changed meanwhile, so that nothing was undone.');
        await goBack(own, () => askExactly('PUT', 'animals', animals));
        isBack = true;
      }
      await undoMore?.();
    };
    tell({ text, undo });
  });
}

/** A change of this page to the animals: the versions of the store before and after it. */
interface Change {
  readonly before: number | undefined;
  after: number | undefined;
}

const changes: Change[] = [];

/** Undoes a change. Where nobody changed anything since, those before it can then be undone too. */
export async function goBack({ before, after }: Change, act: () => Promise<unknown>): Promise<void> {
  const isLast = state.server?.version === after;
  await act();
  await waitForState(({ version }) => version !== after);
  if (!isLast) return;
  for (const one of changes) if (one.after === before) one.after = state.server?.version;
}

/** Resets the mock, which can be undone. */
export function reset(): Promise<boolean> {
  const { server } = state;
  const missing = () => (server?.faults ?? []).filter((fault) => !state.server?.faults.some(isLike(fault)));
  let faults: readonly Fault[] | undefined;
  return change(
    'Reset. Undo brings back animals, faults and settings, but neither requests nor API keys.',
    async () => {
      await ask('POST', 'reset');
      // A key that was set here is not accepted any more.
      if (recall('key') === recall('ownKey')) remember('key', undefined);
    },
    async () => {
      if (server !== undefined) await ask('PATCH', 'settings', toChanges(server));
      faults ??= missing();
      for (const fault of faults) {
        await ask('POST', 'faults', toOptions(fault));
        faults = faults.filter((one) => one !== fault);
      }
    },
  );
}

/** Fills the store with a profile, which can be undone. */
export function fill({ name }: Profile): Promise<boolean> {
  return change(`The store has the animals of ${name}.`, () => ask('POST', `profiles/${name}/fill`));
}

/** Brings the animals of a snapshot back, which can be undone. */
export function restore(name: string): Promise<boolean> {
  const path = `snapshots/${encodeURIComponent(name)}/restore`;
  return change(`The animals are as they were kept as ${name}.`, () => ask('POST', path));
}

/** Turns faults off, which can be undone. */
export function turnOff(faults: readonly Fault[]): Promise<boolean> {
  return attempt(async () => {
    for (const { id } of faults) await removeFault(id);
    await waitForState((server) => !faults.some(({ id }) => server.faults.some((one) => one.id === id)));
    let left = faults;
    const undo = async () => {
      for (const fault of left) {
        await ask('POST', 'faults', toOptions(fault));
        left = left.filter((one) => one !== fault);
      }
    };
    const [first, ...others] = faults;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    if (first !== undefined) tell({ text: `Turned off: ${describeFault(first)}${more}.`, undo });
  });
}

/** One that is gone already is no failure. */
export async function removeFault(id: number | undefined): Promise<void> {
  try {
    await ask('DELETE', `faults/${id}`);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}

function isLike(fault: Fault): (other: Fault) => boolean {
  const print = ({ id: _id, used: _used, ...options }: Fault) => JSON.stringify(options);
  return (other) => print(other) === print(fault);
}

/** What brings the settings back; keys are not told. */
function toChanges(server: ServerState): object {
  const { order, limitPolicy, clock } = server.settings;
  return { order, limitPolicy, clock, now: isClockMoved(server) ? readClock(server) : null };
}

/** What makes a fault again, for as many requests as it still was for. */
export function toOptions({ id: _id, used = 0, times, ...fault }: Fault): Fault {
  return times === undefined ? fault : { ...fault, times: times - used };
}
