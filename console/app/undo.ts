import { computed } from '@preact/signals';
import { describeEffects } from '../../mock/faults/fault-effects.ts';
import type { Fault } from '../../mock/faults/faults.ts';
import { labelOperation } from '../lib/label-operation.ts';
import { ask } from './ask.ts';
import { attempt, notify } from './notices.ts';
import * as store from './store.ts';

let count = 0;

/** Snapshots for undos. More than notices, since a change that fails takes one too. */
const MOST_SNAPSHOTS = 8;

/** Changes the animals, which can be undone as long as nobody else changes them. @param undoMore undoes the rest. */
export async function change(text: string, act: () => Promise<unknown>, undoMore = async () => {}) {
  // The server does not list names that begin with a dot.
  const name = `.undo-${count++ % MOST_SNAPSHOTS}`;
  await ask('PUT', `snapshots/${name}-before`);
  await act();
  await ask('PUT', `snapshots/${name}-after`);
  const undo = async () => {
    await ask('POST', `snapshots/${name}-before/restore?unchangedSince=${name}-after`);
    await undoMore();
  };
  notify({ text, undo });
}

export function reset(): Promise<void> {
  const before = store.faults.value;
  const { behaviour } = store.server.value?.settings ?? {};
  const settings = { behaviour, now: store.fixedTime.value ?? null };
  const text = 'Reset. Undo restores animals, faults and settings, but not requests and API keys.';
  const undoMore = async () => {
    await ask('PATCH', 'settings', settings);
    await addAgain(before);
  };
  // The mock no longer accepts a key that was set here.
  if (store.recall('key') === store.recall('ownKey')) store.remember('key', undefined);
  const off = switchedOff.value;
  const undoAll = async () => {
    await undoMore();
    keepOff(off);
  };
  keepOff([]);
  return attempt(() => change(text, () => ask('POST', 'reset'), undoAll));
}

export function replaceAnimals(path: string, source: string): Promise<void> {
  return attempt(() => change(`Replaced the animals with ${source}.`, () => ask('POST', path)));
}

export async function turnOff(some: readonly Fault[]): Promise<void> {
  for (const { id } of some) await ask('DELETE', `faults/${id}`);
  notify({ text: `Turned off: ${describeFaults(some)}.`, undo: () => addAgain(some) });
}

/** Lets the requests go on that a fault holds. The fault then ends. */
export function release({ id }: Fault): Promise<void> {
  return attempt(() => ask('POST', `faults/${id}/release`));
}

const OFF = 'faults.off';

/** Faults that were switched off on this page, and can be switched on again. The server does not know them. */
export const switchedOff = computed((): readonly Fault[] => JSON.parse(store.recall(OFF, '[]')));

const keepOff = (faults: readonly Fault[]): void =>
  store.remember(OFF, faults.length === 0 ? undefined : JSON.stringify(faults));

/** Ends a fault, and keeps it on the page. */
export async function switchOff(fault: Fault): Promise<void> {
  await ask('DELETE', `faults/${fault.id}`);
  keepOff([...switchedOff.value, fault]);
}

/** Adds a fault again that was switched off. */
export async function switchOn(fault: Fault): Promise<void> {
  await addAgain([fault]);
  forget(fault);
}

const forget = ({ id }: Fault): void => keepOff(switchedOff.value.filter((one) => one.id !== id));

/** Removes a fault that was switched off. */
export async function removeSwitchedOff(fault: Fault): Promise<void> {
  forget(fault);
  const undo = async () => keepOff([...switchedOff.value, fault]);
  notify({ text: `Removed: ${describeFault(fault)}.`, undo });
}

/** Adds faults for the requests that are left. */
async function addAgain(faults: readonly Fault[]): Promise<void> {
  for (const { id: _id, used, held: _held, times, ...fault } of faults)
    if (times === undefined) await ask('POST', 'faults', fault);
    else if (times > used) await ask('POST', 'faults', { ...fault, times: times - used });
}

/** Describes an active fault, such as `5 % 500 on listPets, next 3`. */
export function describeFault(fault: Fault): string {
  const { probability = 1, times, used } = fault;
  const { operation = fault.operation, ...others } = fault.match ?? {};
  const share = probability < 1 ? `${Number((probability * 100).toPrecision(3))} % ` : '';
  const names = Object.keys(others).join(', ');
  const left = times === undefined ? '' : describeLeft(times - used);
  return `${share}${describeEffects(fault)} on ${operation === undefined ? 'everything' : labelOperation(operation)}${names && ` with its ${names}`}${left}`;
}

const describeLeft = (count: number): string => (count > 0 ? `, next ${count}` : ', no further one');

export function describeFaults([first, ...others]: readonly Fault[]): string {
  if (first === undefined) return '';
  return describeFault(first) + (others.length === 0 ? '' : ` and ${others.length} more`);
}

/** Hides all requests. The server deletes them and their violations when that can no longer be undone. */
export function clearRequests(): void {
  const lastViolation = store.server.value?.lastViolation;
  const before = store.clearedTo.value;
  const to = store.rows.value.at(-1)?.id ?? 0;
  store.clearedTo.value = to;
  const end = () => attempt(() => Promise.all([clearViolations(), ask('DELETE', `requests?until=${to}`)]));
  // Both at once, since the page may be about to close.
  const clearViolations = async () =>
    store.violationsRefusal.value === '' && ask('DELETE', `violations?until=${lastViolation}`);
  const undo = async () => {
    store.clearedTo.value = before;
  };
  notify({ text: `Cleared. The ${store.serverName} deletes these requests in ten seconds.`, undo, end });
}
