import { ask } from './ask.ts';
import { type Fault, isClockMoved, readClock, type ServerState, state } from './data.ts';
import { attempt, tell } from './notice.ts';

/** Animals that the store can be filled with. */
export interface Profile {
  readonly name: string;
  readonly animals: number;
  readonly purpose: string;
}

/** What the names of snapshots begin with that are kept until something cannot be undone any more. */
export const UNDO = 'undo.';

/** Keeps the animals. @returns what brings them back, and what forgets them. */
async function keepForUndo() {
  const path = `snapshots/${UNDO}${Math.random().toString(36).slice(2)}`;
  await ask('PUT', path);
  const forget = () => attempt(() => ask('DELETE', path));
  const restore = async () => {
    await ask('POST', `${path}/restore`);
    await forget();
  };
  return { restore, forget };
}

/** Resets the mock, which can be undone. */
export async function reset(): Promise<void> {
  const { server } = state;
  if (server === undefined) return;
  await attempt(async () => {
    const { restore, forget } = await keepForUndo();
    await ask('POST', 'reset');
    const undo = () =>
      attempt(async () => {
        await restore();
        await ask('PATCH', 'settings', toChanges(server));
        await ask('DELETE', 'faults');
        for (const fault of server.faults) await ask('POST', 'faults', toOptions(fault));
      });
    const text = 'Reset. Undo brings back animals, faults and settings, but neither requests nor API keys.';
    tell({ text, undo, end: forget });
  });
}

/** What brings the settings back; keys are not told. */
function toChanges(server: ServerState): object {
  const { order, limitPolicy, clock } = server.settings;
  return { order, limitPolicy, clock, now: isClockMoved(server) ? readClock(server) : null };
}

/** What makes a fault again, for as many requests as it still was for. */
function toOptions({ id: _id, used = 0, times, ...fault }: Fault): Fault {
  return times === undefined ? fault : { ...fault, times: times - used };
}

/** Fills the store with a profile, which can be undone. */
export function fill({ name }: Profile): Promise<boolean> {
  return attempt(async () => {
    const { restore, forget } = await keepForUndo();
    await ask('POST', `profiles/${name}/fill`);
    tell({ text: `The store has the animals of ${name}.`, undo: () => attempt(restore), end: forget });
  });
}
