/** A line of a terminal, and when it appears. */
export interface TerminalLine {
  readonly text: string;
  readonly kind: 'command' | 'output' | 'failure';
}

/** What a terminal shows one line after the other, until the next scene replaces it. */
export interface Scene {
  readonly lines: readonly TerminalLine[];
  /** Time until the next scene, or until the recording begins again, in seconds. */
  readonly seconds: number;
}

const TITLE = 'A terminal: a mock starts, a call breaks the contract, and the gate fails';

const COLUMNS = 108;

/** In pixels, for the font below. */
const COLUMN_WIDTH = 7.83;
const LINE_HEIGHT = 20;
const PADDING = 16;

/** Share of the time of a scene after which all of its lines are shown. */
const SHARE_OF_LINES = 0.6;

/** Share of the whole time in which a line appears. */
const FADE = 0.001;

/** Prints scenes as an SVG that plays them again and again, or shows the last one if the reader wants no motion. */
export function printRecording(scenes: readonly Scene[]): string {
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const wrapped = scenes.map((scene) => ({ ...scene, lines: scene.lines.flatMap(wrap) }));
  const rows = Math.max(...wrapped.map(({ lines }) => lines.length));
  const width = Math.ceil(COLUMNS * COLUMN_WIDTH) + 2 * PADDING;
  const height = rows * LINE_HEIGHT + 2 * PADDING;
  const styles: string[] = [];
  const groups: string[] = [];
  let begin = 0;
  for (const [index, { lines, seconds }] of wrapped.entries()) {
    const end = begin + seconds;
    const animate = (name: string, times: readonly [number, number]) => {
      const shares = times.map((time) => time / total) as [number, number];
      styles.push(keyframes(name, shares), `.${name} { animation: ${name} ${total}s step-end infinite }`);
    };
    animate(`scene-${index}`, [begin, end]);
    const shown = lines.map(({ text, kind }, row) => {
      const name = `line-${index}-${row}`;
      animate(name, [begin + (seconds * SHARE_OF_LINES * row) / lines.length, total]);
      const y = PADDING + (row + 0.75) * LINE_HEIGHT;
      return `<text class="${kind} ${name}" x="${PADDING}" y="${y}">${escapeXml(text)}</text>`;
    });
    const isLast = index === wrapped.length - 1;
    groups.push(`<g class="scene-${index}${isLast ? '' : ' earlier'}">${shown.join('')}</g>`);
    begin = end;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${TITLE}">
<title>${TITLE}</title>
<style>
svg { color-scheme: light dark; background: #f6f7f9; border-radius: 6px }
text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre; fill: #1a1f27 }
.command { font-weight: 600 }
.failure { fill: #c0282d }
.earlier { display: none }
@media (prefers-color-scheme: dark) {
svg { background: #1a1f26 }
text { fill: #e8ebef }
.failure { fill: #ff8078 }
}
@media (prefers-reduced-motion: no-preference) {
.earlier { display: inline }
${styles.join('\n')}
}
</style>
${groups.join('\n')}
</svg>
`;
}

/** Prints keyframes of something that is visible between two shares of the time. */
function keyframes(name: string, [from, to]: readonly [number, number]): string {
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
  const before = from > FADE ? '0% { opacity: 0 } ' : '';
  const after = to < 1 ? `${percent(to)}, 100% { opacity: 0 }` : '';
  return `@keyframes ${name} { ${before}${percent(from)} { opacity: 1 } ${after} }`;
}

/** Splits a line that is longer than the terminal is wide. */
function wrap({ text, kind }: TerminalLine): TerminalLine[] {
  const parts = text.match(new RegExp(`.{1,${COLUMNS}}(?= |$)|.{1,${COLUMNS}}`, 'g')) ?? [''];
  return parts.map((part) => ({ text: part, kind }));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
