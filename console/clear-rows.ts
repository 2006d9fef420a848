import { ask } from './ask.ts';
import { dropRows, server, state } from './data.ts';
import { attempt, tell } from './notice.ts';

/** Hides the requests, and lets the mock forget them and their violations when that cannot be undone any more. */
export function clearRows(): void {
  const { lastId, lastViolation, isWatched, connections } = state;
  const show = () => {
    if (state.hiddenTo === lastId) Object.assign(state, { hiddenTo: 0, hiddenMissed: 0 });
  };
  const forget = () => {
    // A mock that was started again counts from the beginning.
    if (connections !== state.connections && state.lastId < lastId) return;
    if (isWatched) void attempt(() => ask('DELETE', `violations?until=${lastViolation}`));
    void attempt(async () => {
      await ask('DELETE', `requests?until=${lastId}`);
      dropRows(lastId);
    }).then(show);
  };
  state.hiddenTo = lastId;
  state.hiddenMissed = state.missed;
  tell({
    text: `Cleared. In ten seconds the ${server} forgets these requests too.`,
    undo: async () => show(),
    end: forget,
  });
}
