import { toOneLine } from '../../common/harmless-text.ts';

/** How long reading may take before that is said, and how often it is said again, in milliseconds. */
const [PATIENCE, INTERVAL] = [1_000, 200];

/** Says on stderr that a file is being read when that takes a second: on a terminal how far it is, elsewhere once. */
export function startProgress(file: string) {
  const { stderr } = process;
  const name = toOneLine(file === '-' ? 'stdin' : file);
  let [percent, isShown]: [number | undefined, boolean] = [undefined, false];
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
  const timer = setTimeout(tell, PATIENCE);
  let interval: NodeJS.Timeout | undefined;
  return {
    update: (now: number) => {
      percent = now;
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
