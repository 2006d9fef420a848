/** Taken as early as can be: the parent may be gone by the time that the mock listens. */
const parent = process.ppid;

/** How often the parent is looked at, in milliseconds. */
const INTERVAL = 250;

/**
 * Calls back once when the parent of this process has ended. `npm start` puts a shell between itself and the mock, and a
 * signal to npm ends the shell alone: without this, `kill` would leave a mock behind that holds its port.
 */
export function onParentGone(callback: () => void): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, INTERVAL);
  watch.unref();
}
