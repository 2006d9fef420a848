import { toOneLine } from '../../common/harmless-text.ts';

/** How long reading may take before that is said, and how often it is said again, in milliseconds. */
const [PATIENCE, INTERVAL] = [1_000, 200];

/**
 * Creates what says on stderr that a file is being read when that takes a second from the first update on: on a terminal
 * how far it is, elsewhere once.
 */
export function createProgress(file: string) {
  const { stderr } = process;
  const name = toOneLine(file === '-' ? 'stdin' : file);
  let [percent, isShown]: [number | undefined, boolean] = [undefined, false];
  let timer: NodeJS.Timeout | undefined;
  let interval: NodeJS.Timeout | undefined;
  const clear = () => {
    if (isShown && stderr.isTTY) stderr.write('\r\x1b[K');
    isShown = false;
  };
  const show = () => {
    clear();
    stderr.write(`reading ${name}${percent === undefined ? ' …' : `: ${percent} %`}`);
    isShown = true;
  };
  const tell = () => {
    if (!stderr.isTTY) stderr.write(`reading ${name} …\n`);
    else interval = setInterval(show, INTERVAL);
  };
  return {
    /** @param now in percent; undefined when that is not known. */
    update: (now: number | undefined) => {
      percent = now;
      timer ??= setTimeout(tell, PATIENCE);
    },
    /** Makes room for other lines. */
    clear,
    stop: () => {
      clearTimeout(timer);
      clearInterval(interval);
      clear();
    },
  };
}
