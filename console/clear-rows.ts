import { ask } from './ask.ts';
import { dropRows, server, state } from './data.ts';
import { attempt, tell } from './notice.ts';

/** Hides the requests, and lets the mock forget them and their violations when that cannot be undone any more. */
export function clearRows(): void {
  const { lastId, lastViolation, isWatched, server: told, hiddenTo, hiddenMissed } = state;
  const show = () => {
    if (state.hiddenTo === lastId) Object.assign(state, { hiddenTo: 0, hiddenMissed: 0 });
  };
  const forget = () => {
    // A mock that was started again has other requests.
    if (told?.startedAt !== state.server?.startedAt) return;
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
    // Those of a clearing before stay hidden.
    undo: async () => void (state.hiddenTo === lastId && Object.assign(state, { hiddenTo, hiddenMissed })),
    end: forget,
  });
}
