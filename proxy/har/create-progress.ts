import { toOneLine } from '../../common/text/harmless-text.ts';

/** Time before the first message, and between two of them, in milliseconds. */
const [PATIENCE, INTERVAL] = [1_000, 200];

/** Reports on stderr that a file is read, if that takes a second: the percentage on a terminal, otherwise one line. */
export function createProgress(file: string) {
  const { stderr } = process;
  const name = toOneLine(file === '-' ? 'stdin' : file);
  let percent: number | undefined;
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    if (isShown) stderr.write('\r\x1b[K');
    isShown = false;
  };
  const show = () => {
    clear();
    stderr.write(`reading ${name}${percent === undefined ? ' …' : `: ${percent} %`}`);
    isShown = true;
    timer = setTimeout(show, INTERVAL);
  };
  return {
    /** @param now in percent; undefined if it is unknown. */
    update: (now: number | undefined) => {
      percent = now;
      timer ??= setTimeout(stderr.isTTY ? show : () => stderr.write(`reading ${name} …\n`), PATIENCE);
    },
    /** Makes room for other lines. */
    clear,
    stop: () => {
      clearTimeout(timer);
      clear();
    },
  };
}
